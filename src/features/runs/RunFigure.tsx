import { useParams } from 'react-router'

import { ChangedFileFigure } from '#src/features/runs/changes/ChangedFileFigure.tsx'
import { TurnsFigure } from '#src/shared/transcript/TurnsFigure.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'

/** The part of a run that the URL names, for a report: a changed file, a hunk of it, or a turn of its transcript. */
export function RunFigure() {
  const { id = '' } = useParams()
  const url = useQueryState()
  const file = url.one('file')
  if (url.one('view') === 'changes' && file !== '')
    return <ChangedFileFigure runId={id} path={file} hunk={url.one('hunk')} />
  return <TurnsFigure runId={id} from={Number(url.one('turn'))} to={Number(url.one('to') || url.one('turn'))} />
}
