// Which rows of a long list are drawn: arithmetic only. A list of thousands needs only a few elements.

export interface Row<T> {
  item: T;
  top: number;
  height: number;
}

/** Stacks items vertically. */
export function stacked<T>(items: readonly T[], heightOf: (item: T) => number): { rows: Row<T>[]; height: number } {
  let top = 0;
  const rows = items.map((item) => {
    const row = { item, top, height: heightOf(item) };
    top += row.height;
    return row;
  });
  return { rows, height: top };
}

/** The rows in the visible range, and a few on either side so that scrolling shows no gap. */
export function visible<T>(rows: readonly Row<T>[], scrollTop: number, viewport: number, margin = 336): { first: number; last: number } {
  const first = firstBelow(rows, scrollTop - margin);
  const last = firstBelow(rows, scrollTop + viewport + margin, first);
  return { first, last: Math.min(rows.length, last + 1) };
}

/** The smallest scroll that shows the whole row. */
export function scrolledTo(row: Row<unknown>, scrollTop: number, viewport: number): number {
  if (row.top < scrollTop) return row.top;
  if (row.top + row.height > scrollTop + viewport) return row.top + row.height - viewport;
  return scrollTop;
}

/** The first row whose lower edge is below `offset`. */
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
