/** Sentences about a mistyped cell: the cell in short, and the nearest spelling in a list ("Did you mean …?"). */

const SHOWN_MAX = 40;

/** The beginning of a cell, to be quoted in a sentence. */
export function shorten(cell: string): string {
  const letters = Array.from(cell.replaceAll(/\s+/g, ' '));
  return letters.length <= SHOWN_MAX ? letters.join('') : `${letters.slice(0, SHOWN_MAX).join('')}…`;
}

/** Edit distance (Levenshtein), by the usual table of which two rows are kept. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of Array.from(one).entries()) {
    const current = [row + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[other.length] ?? 0;
}

/** Longer texts are no misspellings of a name, and comparing them would take long. */
const COMPARED_MAX = 60;

/**
 * The choice that the text is a misspelling of: at most a third of its letters differ, whatever their case.
 * @returns null when none is that near
 */
function nearest(text: string, choices: Iterable<string>): string | null {
  const wanted = text.toLowerCase();
  if (wanted.length > COMPARED_MAX) return null;
  let best: { choice: string; far: number } | null = null;
  for (const choice of choices) {
    const far = distance(wanted, choice.toLowerCase());
    if (far <= wanted.length / 3 && (best === null || far < best.far)) best = { choice, far };
  }
  return best?.choice ?? null;
}

/** ` Did you mean Europe/Berlin?`; '' without a near choice. */
export function didYouMean(text: string, choices: Iterable<string>): string {
  const choice = nearest(text, choices);
  return choice === null ? '' : ` Did you mean ${choice}?`;
}
