/** See the declarations: a heading without lines, or of a version that is there, is refused. */
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
