// Snapshots are fetched when there is news. One of a large library that is sent as an event is a script of megabytes,
// which holds the page up for as long as it is compiled; and of several in a row only the last matters.

/** What to call when there is news: fetches the latest and passes it on. What comes meanwhile is fetched once more. */
export function latest<T>(fetch: () => Promise<T>, take: (value: T) => void): () => Promise<void> {
  let news = 0;
  let isFetching = false;
  return async () => {
    news += 1;
    if (isFetching) return;
    isFetching = true;
    try {
      for (let seen = 0; seen !== news; ) {
        seen = news;
        take(await fetch());
      }
    } catch {
      // The program ends, or the next news is fetched again.
    } finally {
      isFetching = false;
    }
  };
}
