// Which rows of a long list are drawn: arithmetic only, so that a list of thousands stays a handful of elements.

export interface Row<T> {
  item: T;
  top: number;
  height: number;
}

/** Places items one below the other. */
export function stacked<T>(items: readonly T[], heightOf: (item: T) => number): { rows: Row<T>[]; height: number } {
  let top = 0;
  const rows = items.map((item) => {
    const row = { item, top, height: heightOf(item) };
    top += row.height;
    return row;
  });
  return { rows, height: top };
}

/** The rows that touch the visible stretch, and a few on either side so that scrolling shows no gap. */
export function visible<T>(rows: readonly Row<T>[], scrollTop: number, viewport: number, margin = 336): { first: number; last: number } {
  const first = firstBelow(rows, scrollTop - margin);
  const last = firstBelow(rows, scrollTop + viewport + margin, first);
  return { first, last: Math.min(rows.length, last + 1) };
}

/** Where to scroll so that a row is seen whole, moving as little as possible. */
export function scrolledTo(row: Row<unknown>, scrollTop: number, viewport: number): number {
  if (row.top < scrollTop) return row.top;
  if (row.top + row.height > scrollTop + viewport) return row.top + row.height - viewport;
  return scrollTop;
}

/** The first row whose lower edge lies below `offset`. */
function firstBelow(rows: readonly Row<unknown>[], offset: number, from = 0): number {
  let low = from;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle]!;
    if (row.top + row.height > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
