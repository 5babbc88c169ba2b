/**
 * Rows of a CSV text by RFC 4180, parsed independently of the library under test.
 * @returns a row for each line, an empty last one included
 */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [['']];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const row = rows.at(-1) ?? [];
    const letter = text[at] ?? '';
    if (letter === '"' && isQuoted && text[at + 1] === '"') {
      row[row.length - 1] += '"';
      at += 1;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === ',' && !isQuoted) row.push('');
    else if (letter === '\n' && !isQuoted) rows.push(['']);
    else if (letter !== '\r' || isQuoted) row[row.length - 1] += letter;
  }
  return rows;
}
