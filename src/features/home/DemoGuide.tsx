import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'

import type { HomeView } from '#contract/home.ts'
import { browserDraft } from '#src/shared/drafts/browser-draft.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './home.module.css'

type Demo = NonNullable<HomeView['demo']>

const Closed = z.object({ closed: z.literal(true) })

/** A tour of the demo's parts, until this person closes it in this browser. */
export function DemoGuide({ demo, actorId }: { demo: Demo; actorId: string }) {
  const [kept] = useState(() => browserDraft(Closed, { about: 'demo-guide', actorId }))
  const [isClosed, setClosed] = useState(() => kept.read() !== null)
  if (isClosed) return null
  const close = () => {
    kept.write({ closed: true })
    setClosed(true)
  }
  const stops = stopsOf(demo)
  return (
    <section aria-labelledby="demo-guide" className={classes.guide}>
      <div className={classes.guideHead}>
        <h2 id="demo-guide">Welcome. This organization contains demo data.</h2>
        <CloseButton size="sm" aria-label="Close the guide" onClick={close} />
      </div>
      <p className={classes.about}>
        Assay runs software agents on your tasks, tests what they did, and says which is best and whether that is more
        than chance.
      </p>
      <ol className={classes.stops}>
        {stops.map(({ href, label, text }) => (
          <li key={href}>
            <TextLink href={href}>{label}</TextLink>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      <p className={mutedText.note}>
        Runs of the last three weeks are copies of today’s first runs. The operator removes all demo data with{' '}
        <code>npm run -s assay -- demo remove</code>
      </p>
    </section>
  )
}

const figures = 'terminal-bench-figures'

/** The parts that are there, in the order of a first tour. */
function stopsOf({ experimentIds, savedQueryIds, reportId, hasSuggestion, hasSecret }: Demo) {
  const has = (id: string) => experimentIds.includes(id)
  const [savedQuery] = savedQueryIds
  return [
    has(figures) && {
      href: paths.experiment(figures),
      label: 'Published benchmark figures',
      text: 'Which agent and model is best, by how much, and is it more than chance?',
    },
    has('parse-roman') && {
      href: paths.experiment('parse-roman', 'results', { view: 'compare', by: 'version' }),
      label: 'Two versions of an experiment',
      text: 'What the second version changed, with a verdict.',
    },
    has('parse-roman') && {
      href: paths.runs({ experiment_id: 'parse-roman' }),
      label: 'Runs',
      text: 'Transcripts beside the tests that passed and failed.',
    },
    has('recorded-clients') && {
      href: paths.runs({ experiment_id: 'recorded-clients' }),
      label: 'Transcripts of real clients',
      text: 'Recorded against a scripted stub model: no model was called.',
    },
    savedQuery !== undefined && {
      href: paths.insights({ label: 'demo' }),
      label: 'Saved queries',
      text: 'SQL with charts, one of them published.',
    },
    reportId !== undefined && {
      href: paths.report(reportId),
      label: 'A report',
      text: 'A finding with a live and a pinned chart.',
    },
    { href: paths.credits(), label: 'Credits', text: 'Spend of the last three weeks.' },
    hasSuggestion && {
      href: paths.contextRecord({ kind: 'agent', id: 'careful' }),
      label: 'Context',
      text: 'Shared records, and a suggestion that waits.',
    },
    hasSecret && { href: paths.secrets(), label: 'Secrets', text: 'Values that runs use and nobody reads.' },
  ].filter((stop) => stop !== false)
}
