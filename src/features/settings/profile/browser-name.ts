const browsers: readonly [word: string, name: string][] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const systems: readonly [word: string, name: string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

const nameIn = (names: typeof browsers, text: string) => names.find(([word]) => text.includes(word))?.[1]

/** `Firefox on Windows`. Browsers name others that they resemble, so the order of the lists matters. */
export function browserName(userAgent: string): string {
  const browser = nameIn(browsers, userAgent) ?? 'Unknown browser'
  const system = nameIn(systems, userAgent)
  return system ? `${browser} on ${system}` : browser
}
