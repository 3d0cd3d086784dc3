import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconScissors } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { ChangedFile } from '#contract/changes.ts'
import type { RunDetail } from '#contract/runs.ts'
import { filePatchOptions } from '#src/api/changes.ts'
import { clipToReport } from '#src/shared/clip/clip-requests.ts'
import { runFacts, runName } from '#src/shared/clip/use-run-source.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './ClipChange.module.css'
import { hunksToQuote } from './hunks-to-quote.ts'
import { linesText } from './lines-text.ts'
import { hunkLines, hunkParam, type PatchHunk, patchHunks } from './patch-hunks.ts'

type Props = { run: RunDetail; file: ChangedFile }

/** Clips the diff of a file, or one hunk of it. */
export function ClipChange({ run, file }: Props) {
  const client = useQueryClient()
  const clipping = useMutation({
    mutationFn: async () => clipFile(run, file.path, await client.fetchQuery(filePatchOptions(run.id, file.path))),
  })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={clipping.isPending}
        leftSection={<IconScissors size={14} aria-hidden />}
        onClick={() => clipping.mutate()}
      >
        Clip to report
      </Button>
      {file.change === 'changed' && linesText(file) !== '' && <ClipHunk run={run} file={file} />}
      {clipping.error && <ErrorNotice title="The change could not be clipped" error={clipping.error} />}
    </>
  )
}

/** Nothing while the patch loads, and for a patch of one hunk, which is the whole file. */
function ClipHunk({ run, file }: Props) {
  const { data } = useQuery(filePatchOptions(run.id, file.path))
  const hunks = patchHunks(data ?? '')
  if (hunks.length < 2) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          Clip one hunk
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.hunks}>
        {hunks.map((hunk) => (
          <Menu.Item key={hunkParam(hunk.range)} onClick={() => clipHunk(run, file.path, hunk)}>
            <span className={classes.lines}>
              {hunkLines(hunk.range)} <span className={classes.count}>{linesText(hunk)}</span>
            </span>
            <code className={classes.preview}>{hunk.firstChange}</code>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const clipFile = (run: RunDetail, path: string, patch: string) =>
  clipToReport({
    title: `${runName(run)}, ${path}`,
    path: paths.run(run.id, { view: 'changes', file: path }),
    quote: hunksToQuote(patch),
    facts: runFacts(run),
    hasFigure: true,
  })

const clipHunk = (run: RunDetail, path: string, { range, quote }: PatchHunk) =>
  clipToReport({
    title: `${runName(run)}, ${path}, ${hunkLines(range)}`,
    path: paths.run(run.id, { view: 'changes', file: path, hunk: hunkParam(range) }),
    quote,
    facts: runFacts(run),
    hasFigure: true,
  })
