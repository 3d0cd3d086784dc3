import { allowedAggregates, isAllowedAggregate } from './allowed-aggregates.ts'
import { allowedScalars, isAllowedScalar } from './allowed-functions.ts'

export const isAllowedFunction = (name: string) => isAllowedScalar(name) || isAllowedAggregate(name)

export const allowedFunctions = [...allowedScalars, ...allowedAggregates]

/** Tables made of numbers alone. */
export const numberTables = new Set(['numbers', 'generateSeries', 'generate_series'])

/** What such a table may be asked for; its arguments are literals, so its size is known. */
export const maxNumbers = 1_000_000

/** Functions whose second argument the engine takes for a table where it is a name. */
export const setFunction = /^(global)?(not)?(null)?in(ignoreset)?$/i

/** What a table, or a subquery that is named like one, may be called. */
export const plainName = /^[A-Za-z_]\w*$/
