/** Each needs a file or a connection, and starting thousands would hold up the thread. */
const atOnce = 50

/** Does something with every blob, a few at a time, and returns the results in order. Stops after a failure. */
export async function someAtOnce<Result>(
  keys: readonly string[],
  work: (key: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[][] = []
  for (let start = 0; start < keys.length; start += atOnce)
    results.push(await Promise.all(keys.slice(start, start + atOnce).map(work)))
  return results.flat()
}
