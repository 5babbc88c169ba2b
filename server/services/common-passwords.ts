/** The most guessed passwords of eight and more characters in public breach counts; lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password 12345678 123456789 1234567890 qwertyuiop qwerty123 1q2w3e4r 1q2w3e4r5t password1 password12 password123
  iloveyou princess sunshine football baseball superman trustno1 welcome1 letmein1 11111111 00000000 88888888 87654321
  987654321 abcd1234 abc12345 admin123 administrator qwerty12 qwertyui asdfghjk asdfghjkl zxcvbnm1 1qaz2wsx 1qazxsw2
  q1w2e3r4 passw0rd p@ssw0rd p@ssword starwars whatever michelle jennifer computer corvette mercedes metallica
  maverick midnight mustang1 shadow12 master12 dragon12 monkey12 charlie1 michael1 jordan23 liverpool chelsea1
  internet samsung1 snoopy12 chocolate butterfly 12341234 11223344 12344321 123123123 147258369 123654789 159753456
  1234qwer qwer1234 asdf1234 zaq12wsx changeme changeme1 secret12 test1234 testtest guest123 access14 aa123456
  a1234567 a12345678 q1234567 1234abcd 55555555 66666666 77777777 99999999 22222222 33333333 44444444 12121212`
    .split(/\s+/)
    .filter(Boolean),
);

export function isCommonPassword(password: string): boolean {
  return COMMON_PASSWORDS.has(password.toLowerCase());
}
