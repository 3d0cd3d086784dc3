import { use } from 'react'

import { fetchPublished, type Published } from './fetch-published.ts'

const published = fetchPublished(globalThis.location.pathname)

/** What a stranger sees at the address of a published insight: its heading and its rows. */
export function EmbedPage() {
  const answer = use(published)
  return 'refusal' in answer ? <p role="alert">{answer.refusal}</p> : <Result insight={answer.insight} />
}

function Result({ insight }: { insight: Published }) {
  const { heading, description, columns, rows, truncated, asOf } = insight
  return (
    <main>
      <h1>{heading}</h1>
      {description && <p>{description}</p>}
      <table>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from(rows.entries(), ([number, row]) => (
            <tr key={number}>
              {Array.from(columns.entries(), ([place, { name }]) => (
                <td key={name}>{showValue(row[place])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {truncated ? `The first ${rows.length} rows` : `${rows.length} rows`}, as of{' '}
        <time dateTime={asOf}>{new Date(asOf).toLocaleString()}</time>
      </p>
    </main>
  )
}

const showValue = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
