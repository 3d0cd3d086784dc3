/**
 * The lines of a changelog below the heading of a version, and the changelog in which `Unreleased` became that version.
 *
 * @param {string} changelog
 * @param {{ version: string, date: string }} release
 * @returns {{ notes: string, changelog: string }}
 * @throws if nothing is unreleased, or the version has a heading already
 */
export function releaseNotes(changelog, { version, date }) {
  const heading = '## Unreleased'
  const at = changelog.indexOf(`${heading}\n`)
  if (at < 0) throw new Error('The changelog has no heading "Unreleased"')
  if (changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `)))
    throw new Error(`The changelog already has version ${version}`)
  const from = at + heading.length
  const next = changelog.indexOf('\n## ', from)
  const notes = changelog.slice(from, next < 0 ? undefined : next).trim()
  if (notes === '') throw new Error('The changelog says nothing under "Unreleased"')
  const rest = changelog.slice(from).trimStart()
  return { notes, changelog: `${changelog.slice(0, from)}\n\n## ${version} (${date})\n\n${rest}` }
}
