import { isAllowedAggregate } from './allowed-aggregates.ts'
import { isAllowedScalar } from './allowed-functions.ts'
import { refuseName, refuseSql } from './query-error.ts'
import { readTokens, type Token } from './tokens.ts'

export const isAllowedFunction = (name: string) => isAllowedScalar(name) || isAllowedAggregate(name)

/** Tables made of numbers alone; where they stand and how large they are, the syntax tree shows. */
export const numberTables = new Set(['numbers', 'generateSeries', 'generate_series'])

/** Words of the language that the engine writes before a parenthesis. */
const keywords = new Set(
  `ALL AND ANY ANTI APPLY ARRAY AS ASOF BETWEEN BY COLUMNS CUBE DISTINCT EXCEPT FILL FROM HAVING ILIKE IN INTERPOLATE INTERSECT
   INTO JOIN LIKE LIMIT MATERIALIZED NOT OFFSET ON OR OVER PRECEDING QUALIFY REPLACE ROLLUP SELECT SEMI SETS STEP STRICT THEN TO
   UNION USING WHERE WITH`.split(/\s+/),
)

const isName = (token: Token | undefined) => token?.kind === 'word' || token?.kind === 'quoted'

/**
 * The second look at a statement, at its text as the engine formats it: the syntax tree does not print what APPLY calls.
 * Refuses functions that are not allowed, parameters, and names that could forge a line of the printed tree.
 */
export function checkTokens(formatted: string, sql: string) {
  const tokens = readTokens(formatted)
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'sign' && token.text === '{')
      throw refuseSql('Parameters in braces have no value here', sql, sql.indexOf('{'))
    if (token.kind === 'quoted' && /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(token.text))
      throw refuseSql('A quoted name may not hold a backslash, a line break or an invisible character', sql)
    const called = nameCalledAt(tokens, index)
    if (called !== undefined && !isAllowedFunction(called) && !numberTables.has(called))
      throw refuseFunction(called, sql)
  }
}

export const refuseFunction = (name: string, sql: string) =>
  refuseName(`The function ${name} is not available in queries`, sql, name)

/** The function that is called where this token stands, if one is. */
function nameCalledAt(tokens: readonly Token[], index: number) {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (!token || !isName(token)) return undefined
  if (next?.text === '(' && !(token.kind === 'word' && keywords.has(token.text)) && before?.text !== 'AS')
    return token.text
  // `* APPLY sum`, `* APPLY(sum)`: a name alone, where a lambda has an arrow.
  const applied = before?.text === 'APPLY' || (before?.text === '(' && tokens[index - 2]?.text === 'APPLY')
  const isLambda = next?.text === '-' && tokens[index + 2]?.text === '>'
  return applied && !isLambda ? token.text : undefined
}

/** Names that the statement gives to subqueries: `WITH name AS (…)`. Window names look alike, and are no tables anyway. */
export function readCteNames(formatted: string): Set<string> {
  const tokens = readTokens(formatted)
  return new Set(
    tokens.flatMap((token, index) => {
      const [as, after, last] = [tokens[index + 1], tokens[index + 2], tokens[index + 3]]
      if (!isName(token) || as?.text !== 'AS') return []
      const opens = after?.text === '(' || (after?.text === 'MATERIALIZED' && last?.text === '(')
      return opens ? [token.text] : []
    }),
  )
}
