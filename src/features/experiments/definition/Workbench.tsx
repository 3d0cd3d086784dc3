import { Button, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, Suspense, lazy, useMemo, useRef, useState } from 'react'

import type { Definition } from '#contract/definition.ts'
import type { ErrorIssue } from '#contract/errors.ts'
import type { Experiment } from '#contract/experiments.ts'
import { limits } from '#contract/wire/limit.ts'
import { taskPatternsOf } from '#contract/task-folders.ts'
import { useMayWrite } from '#src/api/permissions.ts'
import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { checkText, serverProblems } from '#src/editor/check-text.ts'
import { paths } from '#src/paths.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice, type Failure } from '#src/ui/ErrorNotice.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { Dependencies } from './Dependencies.tsx'
import { ProblemList } from './ProblemList.tsx'
import { useSettledText } from './use-settled-text.ts'
import { VariantPreview } from './VariantPreview.tsx'
import classes from './Workbench.module.css'
import definitionBar from './definition-bar.module.css'

const YamlEditor = lazy(async () => ({ default: (await import('#src/editor/YamlEditor.tsx')).YamlEditor }))

type PushFailure = Failure & { issues: readonly ErrorIssue[] }

type Props = {
  text: string
  onChange: (text: string) => void
  /** What the next version says about itself. */
  message: string
  onMessage: (message: string) => void
  onPush: () => void
  pending: boolean
  /** Why the last push was rejected, and the rejected text. */
  refused: { text: string; error: PushFailure } | null
  pushLabel: string
  /** Shown left of the push button: the status of the text and of the last push. */
  status: ReactNode
  actions?: ReactNode
  /** The version that the text was edited from, with its package; without a package before the first version. */
  version: { text: string; packaged: Experiment['dependencies'] | null }
  /** Below the preview: the versions. */
  aside?: ReactNode
}

const noIssues: readonly ErrorIssue[] = []

/** Pushing one matches the version of the other. */
const isSameDefinition = (one: Definition | null, other: Definition | null) =>
  one !== null && other !== null && (one === other || JSON.stringify(one) === JSON.stringify(other))

/** A push then takes the task folders from the package of the version. */
const hasSameFolders = (one: Definition, other: Definition | null) =>
  other !== null && one.id === other.id && String(taskPatternsOf(one)) === String(taskPatternsOf(other))

/** The editor with errors, axes and variants next to it. */
export function Workbench(props: Props) {
  const { text, onChange, message, onMessage, onPush, pending, refused, pushLabel, status, actions, version, aside } =
    props
  const mayWrite = useMayWrite()
  const goTo = useRef<(position: number) => void>(() => {})
  const settled = useSettledText(text)
  const checked = useMemo(() => checkText(settled), [settled])
  const ofVersion = useMemo(() => checkText(version.text).definition, [version.text])
  const packaged = useMemo(
    () => (isSameDefinition(checked.definition, ofVersion) ? version.packaged : null),
    [checked.definition, ofVersion, version.packaged],
  )
  const [lastValid, setLastValid] = useState(checked.definition)
  if (checked.definition && checked.definition !== lastValid) setLastValid(checked.definition)
  // The positions of the server's errors are only valid for the text it received.
  const issues = refused?.text === text ? refused.error.issues : noIssues
  const fromServer = useMemo(() => serverProblems(text, issues), [text, issues])
  const problems = checked.problems.length > 0 ? checked.problems : fromServer
  const [problem] = problems
  const [fault] = checked.problems
  const push = () => {
    if (fault) goTo.current(fault.from)
    else if (!pending && mayWrite) onPush()
  }
  useShortcut('push', push)
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <div className={definitionBar.bar}>
          <div className={classes.status}>
            {status}
            {problem && (
              <>
                {' · '}
                <UnstyledButton className={classes.fault} onClick={() => goTo.current(problem.from)}>
                  {counted(problems.length, 'error')}
                  {problems.length === 1 ? '' : ', the first'} on line {problem.line}
                </UnstyledButton>
              </>
            )}
          </div>
          {actions}
          <ForWriters instead={<span className={classes.status}>Viewers cannot save versions</span>}>
            <Button
              onClick={push}
              loading={pending}
              title={fault ? 'Go to first error' : 'Save this text as a version (Ctrl/⌘ S)'}
            >
              {pushLabel}
            </Button>
          </ForWriters>
        </div>
        <div className={classes.language}>
          <p>
            YAML · <TextLink href={paths.definitionReference()}>Definition reference</TextLink>
          </p>
          <ForWriters>
            <TextInput
              size="xs"
              className={classes.message}
              aria-label="Message of the version"
              placeholder="Why this version? (optional)"
              maxLength={limits.versionMessage}
              value={message}
              onChange={({ currentTarget }) => onMessage(currentTarget.value)}
              onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && push()}
            />
          </ForWriters>
        </div>
        {refused && <ErrorNotice title="The definition was rejected" error={refused.error} />}
        <div className={classes.editor}>
          <Suspense fallback={<LoadingArea label="Loading the editor" height={480} />}>
            <YamlEditor
              label="Experiment definition, YAML"
              value={text}
              onChange={onChange}
              onSubmit={push}
              serverProblems={fromServer}
              onReady={(go) => {
                goTo.current = go
              }}
            />
          </Suspense>
        </div>
      </div>
      <div className={classes.side}>
        {problems.length > 0 && (
          <ProblemList noun="problem" problems={problems} onGo={(position) => goTo.current(position)} />
        )}
        {checked.warnings.length > 0 && (
          <ProblemList noun="warning" problems={checked.warnings} onGo={(position) => goTo.current(position)} />
        )}
        {checked.definition && (
          <Dependencies
            definition={checked.definition}
            packaged={packaged}
            hasFolders={hasSameFolders(checked.definition, ofVersion)}
          />
        )}
        {lastValid && !checked.definition && (
          <p className={classes.stale}>The preview below shows the last text without errors.</p>
        )}
        {lastValid && <VariantPreview definition={lastValid} />}
        {aside}
      </div>
    </div>
  )
}
