import type { ContextFields } from '#contract/context-kinds.ts'
import { isWebAddress } from '#contract/wire/web-address.ts'
import { fieldLabels } from './labels.ts'
import classes from './records.module.css'
import links from './suggestions.module.css'

/** The fields of a record, to read. The texts are plain. */
export const RecordFields = ({ fields }: { fields: ContextFields }) => (
  <dl className={classes.fields}>
    {Object.entries(fields).map(([name, text]) => (
      <div key={name}>
        <dt>{fieldLabels(name)}</dt>
        <dd data-empty={text === '' || undefined}>
          {isWebAddress(text) ? (
            <a href={text} target="_blank" rel="noreferrer noopener" className={links.link}>
              {text}
            </a>
          ) : (
            text || 'Empty'
          )}
        </dd>
      </div>
    ))}
  </dl>
)
