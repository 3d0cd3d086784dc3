import { VisuallyHidden } from '@mantine/core'

import type { RunDetail } from '#contract/runs.ts'
import { Section } from '#src/ui/Section.tsx'
import { compareFacts } from './compare-facts.ts'
import classes from './ComparePage.module.css'

/** The facts of both runs. Differing facts are marked. */
export function ComparedFacts({ left, right }: { left: RunDetail; right: RunDetail }) {
  const facts = compareFacts(left, right)
  const differing = facts.filter(({ differs }) => differs).length
  return (
    <Section title="Facts" aside={<span className={classes.aside}>{`${differing} of ${facts.length} differ`}</span>}>
      <table className={classes.facts}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Fact</VisuallyHidden>
            </th>
            <th scope="col">Left</th>
            <th scope="col">Right</th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ name, left, right, differs, change }) => (
            <tr key={name} data-differs={differs || undefined}>
              <th scope="row">
                {name}
                {differs && (
                  <span className={classes.mark} title="differs">
                    <span aria-hidden>≠</span>
                    <VisuallyHidden>differs</VisuallyHidden>
                  </span>
                )}
              </th>
              <td>
                <bdi>{left}</bdi>
              </td>
              <td>
                <bdi>{right}</bdi> {change && <span className={classes.change}>{change}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
