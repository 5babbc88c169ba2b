/** Shown while a guard asks who is signed in. */
export function SessionCheck() {
  return <output className="boot">Loading...</output>;
}
