import { addFigure, getFigure } from '#contract/report-figures.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'
import { endpointOptions } from './query-client.ts'

/** A pinned figure. It never changes. */
export const figureOptions = (figureId: string) => ({
  ...endpointOptions(getFigure, { figureId }),
  staleTime: Infinity,
})

/** Stores the data of a figure, and returns it with who pinned it and when. */
export async function storeFigure(page: string, resultsJson: string) {
  if (new Blob([resultsJson]).size > limits.figureBytes)
    throw new ApiError(
      'invalid_argument',
      `This figure has more than ${limits.figureBytes / 1e6} MB of data, too much to pin. Filter its runs, or clip it as text.`,
    )
  const { figure } = await call(addFigure, { page, resultsJson })
  return figure
}
