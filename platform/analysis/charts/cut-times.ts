/** Whether a time limit or a person ended the run, which would have taken longer, as SQL over the table `runs`. */
export const isCutExpression = "(ifNull(time_limit_hit, false) OR status = 'canceled')"

/**
 * WITH clause of an aggregation over `wall` and `isCut`: the times in order, each with whether it is cut, and the logarithm
 * of the share of runs that take longer (Kaplan and Meier 1958). Of equal times, those that are not cut come first.
 */
export const withTimes = `WITH arraySort(groupArrayIf(tuple(ifNull(wall, 0), isCut), wall IS NOT NULL)) AS times,
  arrayCumSum(arrayMap((time, place) -> if(time.2, 0., log(1 - 1 / (length(times) - place + 1))), times,
    arrayEnumerate(times))) AS survival`

/** The place of the first time that as many runs end by; 0 if none do. Sums of logarithms are rounded. */
const indexOfShare = (level: number) => `arrayFirstIndex(share -> share <= ${Math.log(1 - level)} + 1e-9, survival)`

/**
 * Whether no cut time is among those that a quantile is read from. Then it is linear between runs, like other quantiles.
 */
const isWhole = (level: number) =>
  `NOT arrayExists(time -> time.2, arraySlice(times, 1, toUInt32(ceil((length(times) - 1) * ${level})) + 1))`

/** The time by which a share of runs end, or where too few end, the longest time. */
export const quantileOfTimes = (level: number) =>
  `multiIf(empty(times), NULL, ${isWhole(level)}, quantileExactInclusive(${level})(wall),
    ${indexOfShare(level)} = 0, times[-1].1, times[${indexOfShare(level)}].1)`

/** Whether that share of runs would take longer than the longest time. */
export const isAtLeast = (level: number) => `(notEmpty(times) AND NOT ${isWhole(level)} AND ${indexOfShare(level)} = 0)`
