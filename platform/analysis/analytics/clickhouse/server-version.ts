/** For each release line, the first version in which `mergeTreeIndex` respects row policies. Every later line does. */
const fixedReleases = ['26.3.22.6', '26.5.8.18', '26.6.4.10', '26.7.6.5']

const partsOf = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10))

/** Whether a row policy of this version of ClickHouse also hides the primary keys of rows (its issue 115230). */
export function hidesRowsFromIndexes(version: string): boolean {
  const [year = 0, month = 0, minor = 0, build = 0] = partsOf(version)
  const ofLine = fixedReleases.map(partsOf).find(([lineYear, lineMonth]) => lineYear === year && lineMonth === month)
  if (!ofLine) return year > 26 || (year === 26 && month > 7)
  const [, , fixedMinor = 0, fixedBuild = 0] = ofLine
  return minor > fixedMinor || (minor === fixedMinor && build >= fixedBuild)
}
