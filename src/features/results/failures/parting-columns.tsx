import { Fragment } from 'react'

import type { CallAction, Parting, PartingExample, PartingList } from '#contract/partings.ts'
import { count, counted, percent } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { byShare, GroupShares } from './GroupShares.tsx'
import { nameExample } from './name-example.ts'
import classes from './Partings.module.css'
import { ShareBar } from './ShareBar.tsx'

const noMoreCalls = 'makes no more calls'

/** `pytest` for a command, and else the tool with its file. */
const actionText = ({ tool, target }: CallAction) =>
  tool === 'command' ? (target ?? 'a command') : target === null ? tool : `${tool} ${target}`

const sideText = (action: CallAction | null) => (action ? actionText(action) : noMoreCalls)

const isSameThroughout = ({ failing, passing }: Parting) => failing === null && passing === null
const isAlike = ({ failing, passing }: Parting) =>
  failing !== null && passing !== null && actionText(failing) === actionText(passing)

const partingText = (parting: Parting) =>
  isSameThroughout(parting) ? 'Both made the same calls' : `${sideText(parting.failing)} → ${sideText(parting.passing)}`

const Side = ({ outcome, action }: { outcome: 'failed' | 'passed'; action: CallAction | null }) => (
  <span className={classes.side}>
    <OutcomeGlyph outcome={outcome} />
    {action ? <code>{actionText(action)}</code> : <span className={mutedText.plain}>{noMoreCalls}</span>}
  </span>
)

/** Two like calls differ in what the cluster leaves out, so an example shows it. */
function OtherArguments({ examples: [example] }: Parting) {
  const { call, passingCall } = example ?? {}
  if (!call || !passingCall || call === passingCall) return 'With other arguments. '
  return (
    <>
      Such as <code>{shorten(call)}</code> instead of <code>{shorten(passingCall)}</code>.{' '}
    </>
  )
}

const shorten = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** What both sides do, and links to the runs beside each other. */
const PartingCell = (parting: Parting) => (
  <div className={classes.parting}>
    {isSameThroughout(parting) ? (
      <span>Both made the same calls, as far as they are compared</span>
    ) : (
      <div className={classes.sides}>
        <Side outcome="failed" action={parting.failing} />
        <Side outcome="passed" action={parting.passing} />
      </div>
    )}
    <p className={classes.note}>
      {isAlike(parting) && <OtherArguments {...parting} />}
      {parting.otherAgentRuns > 0 && `${count(parting.otherAgentRuns)} of them beside a run of another agent. `}
      {!isSameThroughout(parting) && `${likenessOf(parting)} alike. `}
      Compare{' '}
      {parting.examples.map((example, place) => (
        <Fragment key={example.runId}>
          {place > 0 && ', '}
          <TextLink href={hrefOf(example)}>{nameExample(example, parting.examples)}</TextLink>
        </Fragment>
      ))}
    </p>
  </div>
)

const hrefOf = ({ runId, passingRunId, turn, passingTurn }: PartingExample) =>
  paths.compare({ left: runId, right: passingRunId, leftTurn: turn, rightTurn: passingTurn })

/** `71 % of calls`, or `Up to 71 % of calls` where other runs have less in common with their nearest passing run. */
function likenessOf({ examples: [nearest, ...others], runs }: Parting) {
  const most = nearest?.likeness ?? 0
  if (most === 0) return 'No calls'
  const isSame = runs === others.length + 1 && others.every(({ likeness }) => percent(likeness) === percent(most))
  return `${isSame ? '' : 'Up to '}${percent(most)} of calls`
}

/** The columns of partings. Shares are of all failing runs that were compared. */
export function partingColumns({ comparedRuns, partings }: PartingList): readonly Column<Parting>[] {
  const groupCount = new Set(partings.flatMap(({ groups }) => groups.map(({ group }) => group))).size
  return [
    {
      id: 'parting',
      header: 'Failing run, nearest passing run',
      hint: 'The first call of a failing run that its nearest passing run did not make, and what that run did instead',
      value: partingText,
      cell: PartingCell,
    },
    {
      id: 'runs',
      header: 'Runs',
      hint: 'Failing runs that part this way, and their share of all that were compared',
      value: ({ runs }) => runs,
      cell: ({ runs }) => (
        <ShareBar share={runs / comparedRuns} label={`${count(runs)} of ${counted(comparedRuns, 'failing run')}`}>
          {count(runs)}
        </ShareBar>
      ),
      width: 'clamp(72px, 16cqw, 150px)',
    },
    {
      id: 'prompts',
      header: 'Prompts',
      hint: 'Prompts of these runs',
      value: ({ prompts }) => prompts,
      cell: ({ prompts }) => count(prompts),
      align: 'right',
      width: '80px',
      from: 'sm',
    },
    {
      id: 'groups',
      header: 'Groups',
      hint: 'Failing runs that part this way, of all failing runs of the group that were compared',
      value: ({ groups }) => byShare(groups)[0]?.group ?? null,
      cell: ({ groups }) => (
        <GroupShares
          groups={groups}
          groupCount={groupCount}
          ofWhich={(runs) => `${counted(runs, 'failing run')} that ${runs === 1 ? 'was' : 'were'} compared`}
        />
      ),
      width: '30%',
      from: 'md',
    },
  ]
}
