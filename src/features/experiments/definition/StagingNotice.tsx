import { Code } from '@mantine/core'

import type { Dependency } from '#contract/definition.ts'
import { counted } from '#src/format/numbers.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './StagingNotice.module.css'

/** A push from here carries only text; what stands in files must be staged first. */
export const StagingNotice = ({ dependencies }: { dependencies: readonly Dependency[] }) => (
  <div className={classes.notice}>
    <Notice title={`${counted(dependencies.length, 'file')} must be staged.`}>
      A version needs every file with a <Code>source</Code> in its package. Stage them with{' '}
      <Code>npm run -s assay -- files stage &lt;path&gt;</Code>, or write them inline as <Code>content</Code>.
      <ul className={classes.list}>
        {dependencies.map(({ source, dest }) => (
          <li key={`${source} ${dest}`}>
            <Code>{source}</Code>
          </li>
        ))}
      </ul>
    </Notice>
  </div>
)
