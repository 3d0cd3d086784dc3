import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { ChangedFile } from '#contract/changes.ts'
import type { RunDetail } from '#contract/runs.ts'
import { filePatchOptions } from '#src/api/changes.ts'
import { queryClient } from '#src/api/query-client.ts'
import { ClipChange } from './ClipChange.tsx'

const run = { id: 'r1' } as RunDetail
const file = { path: 'a.txt', change: 'changed', addedLines: 2, removedLines: 0 } as ChangedFile
const header = '--- a/a.txt\n+++ b/a.txt\n'
const hunk = (line: number) => `@@ -${line},0 +${line + 1},1 @@\n+new\n`

const shown = (patch: string) => {
  queryClient.setQueryData(filePatchOptions(run.id, file.path).queryKey, patch)
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MantineProvider>
        <ClipChange run={run} file={file} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('one hunk can be clipped where a file has several, and the whole file everywhere', () => {
  expect(shown(header + hunk(1) + hunk(9))).toContain('Clip one hunk')
  expect(shown(header + hunk(1))).not.toContain('Clip one hunk')
  expect(shown(header + hunk(1))).toContain('Clip to report')
})
