import { changeQuery } from '#src/url/use-query-state.ts'

/** What is open of a run. */
const open = { test: null, turn: null, pane: null, file: null, part: null, outline: null }

/** The filters of the list in the URL of a review. */
export const listQueryOf = (search: URLSearchParams) => changeQuery(search, { ...open, run: null, keys: null })

/** The next run opens without the selected test, turn and file of the one before. */
export const freshRun = (run: string) => ({ ...open, run })
