/** Shown while a guard asks who is signed in. */
export function SessionCheck() {
  return (
    <p className="boot" role="status">
      Loading...
    </p>
  );
}
