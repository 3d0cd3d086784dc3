import { allowedAggregates, isAllowedAggregate } from './allowed-aggregates.ts'
import { allowedScalars, isAllowedScalar } from './allowed-functions.ts'

export const isAllowedFunction = (name: string) => isAllowedScalar(name) || isAllowedAggregate(name)

export const allowedFunctions = [...allowedScalars, ...allowedAggregates]

/** Table functions that generate numbers. */
export const numberTables = new Set(['numbers', 'generateSeries', 'generate_series'])

/** The largest argument of such a table function. Its arguments are literals, so its size is known. */
export const maxNumbers = 1_000_000

/** Functions for which the engine reads a name as the second argument as a table. */
export const setFunction = /^(global)?(not)?(null)?in(ignoreset)?$/i

/** The allowed names of tables and of subqueries with a name. */
export const plainName = /^[A-Za-z_]\w*$/
