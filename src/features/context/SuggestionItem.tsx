import '#src/ui/status-marks.css'
import { useId } from 'react'

import type { ContextSuggestion } from '#contract/context-suggestions.ts'
import { reveal } from '#src/ui/reveal.ts'
import { paths } from '#src/paths.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import rowButton from '#src/ui/row-button.module.css'
import classes from './suggestions.module.css'
import { FieldDiff } from './FieldDiff.tsx'
import { fieldLabels, kindLabels, statusMarks } from './labels.ts'
import { SuggestionActions } from './SuggestionActions.tsx'

/** One of the caller's suggestions as a row that expands. The URL has the id of the expanded one. */
export function SuggestionItem({ suggestion }: { suggestion: ContextSuggestion }) {
  const url = useQueryState()
  const bodyId = useId()
  const { suggestionId, kind, targetId, targetName, proposed, status, updatedAt } = suggestion
  const isOpen = url.one('suggestion') === suggestionId
  const { glyph, label, tone } = statusMarks[status]
  return (
    <li className={classes.item} ref={isOpen ? reveal : undefined}>
      <button
        type="button"
        className={`${rowButton.row} ${classes.line}`}
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => url.push({ suggestion: isOpen ? null : suggestionId })}
      >
        <span className={classes.status} data-tone={tone}>
          <span aria-hidden className={classes.glyph}>
            {glyph}
          </span>
          {label}
        </span>
        <span className={classes.what}>
          <strong className={classes.name}>{targetName}</strong>{' '}
          <span className={classes.fields}>{Object.keys(proposed).map(fieldLabels).join(', ')}</span>
        </span>
        <span className={classes.when}>
          <RelativeTime at={updatedAt} />
        </span>
      </button>
      {isOpen && (
        <div id={bodyId} className={classes.body}>
          <p className={classes.target}>
            {kindLabels[kind]} <TextLink href={paths.contextRecord({ kind, id: targetId })}>{targetId}</TextLink>, based
            on revision {suggestion.baseRevision}
          </p>
          <SuggestionBody suggestion={suggestion} />
          <SuggestionActions suggestion={suggestion} />
        </div>
      )}
    </li>
  )
}

function SuggestionBody({ suggestion }: { suggestion: ContextSuggestion }) {
  const { base, proposed, reason, evidence, decisionNote } = suggestion
  return (
    <>
      {Object.entries(proposed).map(([name, after]) => (
        <FieldDiff key={name} name={name} before={base[name] ?? ''} after={after} />
      ))}
      <p className={classes.reason}>{reason}</p>
      {evidence.length > 0 && (
        <ul aria-label="Evidence" className={classes.links}>
          {evidence.map(({ url, description }) => (
            <li key={`${url} ${description}`}>
              <a href={url} target="_blank" rel="noreferrer noopener" className={classes.link}>
                {description || url}
              </a>
            </li>
          ))}
        </ul>
      )}
      {decisionNote && (
        <p className={classes.note}>
          <strong>Your organization:</strong> {decisionNote}
        </p>
      )}
    </>
  )
}
