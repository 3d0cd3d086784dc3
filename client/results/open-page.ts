import { z } from 'zod'

import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Verb } from '#client/work.ts'
import { paths } from '#src/paths.ts'

/** Opens a page of the app, and prints its address for terminals without a browser. */
export const openPage =
  (id: string | undefined): Verb =>
  async ({ io, api, show }) => {
    const { url } = await api()
    const address = url + pathOf(id)
    io.openBrowser(address)
    show({ url: address }, address)
  }

function pathOf(id: string | undefined) {
  if (id === undefined) return paths.home()
  return isCompositeRunId(id) || z.uuid().safeParse(id).success ? paths.run(id) : paths.experiment(id)
}
