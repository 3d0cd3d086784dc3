/** The lines of a changelog under `Unreleased`, and the changelog in which they are those of a version. Throws if there are none. */
export declare function releaseNotes(
  changelog: string,
  release: { version: string; date: string },
): { notes: string; changelog: string }
