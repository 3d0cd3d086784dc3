import type { Page } from '@playwright/test'

import { createInvitation } from '#contract/invitations.ts'
import { createReport } from '#contract/reports.ts'
import { callAs } from './call-as.ts'
import { submitExperiment } from './submit-experiment.ts'

/** The data each page needs; all runs belong to one request of one experiment. */
export type Seen = {
  experiment: string
  request: string
  left: string
  right: string
  older: string
  newer: string
  report: string
  /** Of an invitation. */
  link: string
}

/**
 * The data of the pages in all-pages.ts: runs that pass and fail, a score, changed files, refused connections, two prompts,
 * and a transcript with every kind of turn.
 */
const definition = (id: string) => `id: ${id}
name: Seen by everybody
agents:
  - { id: talks, command: [bash, -c, "sed -i s/two/2/ numbers.txt; curl -s http://10.0.0.1/; node agents/talks.mjs"], transcript: assay-jsonl }
  - { id: quiet, command: [bash, -c, "sed -i s/two/TWO/ numbers.txt"] }
environments: [{ id: open, network: true }]
prompts: [{ id: ask, text: Ask }, { id: tell, text: Tell }]
files:
  - { dest: numbers.txt, content: "one\\ntwo\\nthree\\n" }
  - dest: agents/talks.mjs
    content: |
      const print = (line) => console.log(JSON.stringify(line))
      print({ role: 'user', kind: 'message', text: 'Do it' })
      print({ role: 'assistant', kind: 'tool_call', tool: 'shell', text: 'ls' })
      print({ role: 'tool', kind: 'tool_result', tool: 'shell', text: 'no such file', failed: true })
      print({ role: 'assistant', kind: 'message', text: '## Done\\n\\n- **both** of \`a\`, see [docs](https://example.com)' })
tests:
  - { name: ends, command: ["true"] }
  - { name: fails, command: [bash, -c, "printf '\\\\033[31mred\\\\033[0m on \\\\033[42mgreen\\\\033[0m'; exit 1"] }
  - { name: mark, command: [bash, -c, "echo 0.$((RANDOM % 9))"], report: { format: reward } }
`

export async function makeSeen(page: Page): Promise<Seen> {
  const id = `seen-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id) })
  const { requestId, runs } = await submitExperiment(page, {
    id,
    yaml: `${definition(id)}limits: {maxTimeSeconds: 99}\n`,
  })
  const { versions } = await (await page.request.get(`/api/v1/experiments/${id}/versions`)).json()
  return {
    experiment: id,
    request: requestId,
    left: encodeURIComponent(runs[0]?.id ?? ''),
    right: encodeURIComponent(runs[1]?.id ?? ''),
    older: versions[1].fingerprint,
    newer: versions[0].fingerprint,
    report: await makeReport(page, id),
    link: await makeLink(page, id),
  }
}

export const makeLink = async (page: Page, id: string) =>
  (await callAs(page, createInvitation, { email: `${id}@demo.example`, role: 'member' })).link

/** A report with every kind of block. */
async function makeReport(page: Page, experiment: string): Promise<string> {
  const bodyMarkdown = `## Findings

Of [@${experiment}](assay://experiments/${experiment}), see [docs](https://example.com) and [a run](/runs).[^1]

> [!WARNING]
> Mind \`this\`.

> [!CLIP]
> [Where it was seen](</runs>)
>
> ~~~text
> one failed
> ~~~
>
> v1 · 2026-11-20

\`\`\`insight
ref: chart:${experiment}:tests
\`\`\`

\`\`\`insight
ref: nowhere
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

- [x] done
- [ ] to do

[^1]: A note.
`
  const input = { title: 'Seen by everybody', description: 'All of it', bodyMarkdown }
  return (await callAs(page, createReport, input)).report.id
}
