// Paths in little space.

/** A path shortened in the middle, never in its last name: `~/…/skills`. */
export function shortened(path: string, most: number): string {
  if (path.length <= most) return path;
  const separator = path.includes('\\') ? '\\' : '/';
  const names = path.split(separator);
  const head = names[0] === '' ? separator + names[1] : names[0]!;
  const [last] = names.slice(-1);
  const short = [head, '…', last].join(separator);
  return names.length > 3 && short.length <= most ? short : `…${separator}${last}`;
}
