/** Aggregate and window functions that users' SQL can call, including with combinators as suffixes. */
const aggregateFunctions = `
  BIT_AND BIT_OR BIT_XOR COVAR_POP COVAR_SAMP STD STDDEV STDDEV_POP STDDEV_SAMP VAR_POP VAR_SAMP analysisOfVariance
  anova any anyHeavy anyLast anyLastRespectNulls anyLast_respect_nulls anyRespectNulls anyValueRespectNulls
  any_respect_nulls any_value any_value_respect_nulls approx_top_count approx_top_k approx_top_sum argAndMax
  argAndMin argMax argMin array_agg array_concat_agg avg avgWeighted categoricalInformationValue contingency corr
  corrMatrix corrStable count covarPop covarPopMatrix covarPopStable covarSamp covarSampMatrix covarSampStable
  cramersV cramersVBiasCorrected cume_dist deltaSum deltaSumTimestamp denseRank dense_rank distinctDynamicTypes
  distinctJSONPaths distinctJSONPathsAndTypes entropy exponentialMovingAverage exponentialTimeDecayedAvg
  exponentialTimeDecayedCount exponentialTimeDecayedMax exponentialTimeDecayedSum firstValueRespectNulls first_value
  first_value_respect_nulls groupArray groupArrayInsertAt groupArrayIntersect groupArrayLast groupArrayMovingAvg
  groupArrayMovingSum groupArraySample groupArraySorted groupBitAnd groupBitOr groupBitXor groupBitmap
  groupBitmapAnd groupBitmapOr groupBitmapXor groupConcat groupNumericIndexedVector groupUniqArray group_concat
  histogram intervalLengthSum kolmogorovSmirnovTest kurtPop kurtSamp lag lagInFrame largestTriangleThreeBuckets
  lastValueRespectNulls last_value last_value_respect_nulls lead leadInFrame lttb mannWhitneyUTest max
  maxIntersections maxIntersectionsPosition maxMappedArrays max_by meanZTest median medianBFloat16
  medianBFloat16Weighted medianDD medianDeterministic medianExact medianExactHigh medianExactLow medianExactWeighted
  medianExactWeightedInterpolated medianGK medianInterpolatedWeighted medianTDigest medianTDigestWeighted
  medianTiming medianTimingWeighted min minMappedArrays min_by nonNegativeDerivative nth_value ntile percentRank
  percent_rank quantile quantileBFloat16 quantileBFloat16Weighted quantileDD quantileDeterministic quantileExact
  quantileExactExclusive quantileExactHigh quantileExactInclusive quantileExactLow quantileExactWeighted
  quantileExactWeightedInterpolated quantileGK quantileInterpolatedWeighted quantilePrometheusHistogram
  quantileTDigest quantileTDigestWeighted quantileTiming quantileTimingWeighted quantiles quantilesBFloat16
  quantilesBFloat16Weighted quantilesDD quantilesDeterministic quantilesExact quantilesExactExclusive
  quantilesExactHigh quantilesExactInclusive quantilesExactLow quantilesExactWeighted
  quantilesExactWeightedInterpolated quantilesGK quantilesInterpolatedWeighted quantilesPrometheusHistogram
  quantilesTDigest quantilesTDigestWeighted quantilesTiming quantilesTimingWeighted rank rankCorr retention
  row_number sequenceCount sequenceMatch sequenceMatchEvents simpleLinearRegression singleValueOrNull skewPop
  skewSamp sparkBar sparkbar stddevPop stddevPopStable stddevSamp stddevSampStable stochasticLinearRegression
  stochasticLogisticRegression string_agg studentTTest studentTTestOneSample sum sumCount sumKahan sumMapFiltered
  sumMapFilteredWithOverflow sumMapWithOverflow sumMappedArrays sumWithOverflow theilsU topK topKWeighted uniq
  uniqCombined uniqCombined64 uniqExact uniqHLL12 uniqUpTo varPop varPopStable varSamp varSampStable welchTTest
  windowFunnel countDistinct sumMap minMap maxMap`

export const allowedAggregates = aggregateFunctions.trim().split(/\s+/)

const names = new Set(allowedAggregates.map((name) => name.toLowerCase()))

const combinator =
  /(if|array|map|simplestate|mergestate|state|merge|foreach|distinct|ordefault|ornull|resample|argmin|argmax|null|tuple)$/

/** Whether an aggregate can be called, such as `avg`, `quantileExactIf` or `sumArrayOrNull`. */
export function isAllowedAggregate(name: string): boolean {
  const plain = name.toLowerCase()
  if (names.has(plain)) return true
  const shorter = plain.replace(combinator, '')
  return shorter !== plain && isAllowedAggregate(shorter)
}
