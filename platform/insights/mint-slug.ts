/** Leaves room for a counter within the maximum slug length. */
const longest = 80

/** `Pass rate, by model` → `pass-rate-by-model`. A heading without Latin letters or digits becomes `insight`. */
export function slugOf(heading: string) {
  const words = heading
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, longest).replace(/-$/, '') ?? 'insight'
}

/** The slug, or the slug with the first free counter: `x`, `x-2`, `x-3`… */
export function firstFree(slug: string, taken: ReadonlySet<string>) {
  for (let counter = 1; ; counter += 1) {
    const candidate = counter === 1 ? slug : `${slug}-${counter}`
    if (!taken.has(candidate)) return candidate
  }
}
