/** Loading text while a route guard checks the session. */
export function SessionCheck() {
  return <output className="boot">Loading...</output>;
}
