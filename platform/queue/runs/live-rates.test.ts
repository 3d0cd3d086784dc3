import { expect, test } from 'vitest'

import { meanOf, quantile, varianceOf } from '#statistics/moments.ts'
import { seededRandom } from '#statistics/seeded-random.ts'
import { sampleNormal, type Random } from '#statistics/simulated-scenarios.ts'
import { fewestPrompts } from '#statistics/scope.ts'
import { atLength } from '#tools/test-length.ts'
import { orderRuns } from './order-runs.ts'

const [prompts, repeats] = [80, 5]
const wanted = ['left', 'right'].flatMap((agent) =>
  Array.from({ length: prompts }, (_, place) => ({ variant: { agent, prompt: String(place) }, repeats })),
)

type Run = { variant: { agent: string; prompt: string }; isSolved: boolean; endsAt: number }

/** Executes a request. Prompts differ in how hard they are and in how long they take, and failures take three times as long. */
function execute(random: Random, requestId: string, slots: number): Run[] {
  const tasks = new Map(
    Array.from({ length: prompts }, (_, place) => {
      const chance = 1 / (1 + Math.exp(-0.55 - 1.8 * sampleNormal(random)))
      return [String(place), { chance, seconds: Math.exp(0.6 * sampleNormal(random)) }]
    }),
  )
  const freeAt = Array.from({ length: slots }, () => 0)
  return orderRuns(wanted, requestId).map(({ variant }) => {
    const { chance, seconds } = tasks.get(variant.prompt) ?? { chance: 0, seconds: 0 }
    const isSolved = random() < chance
    const slot = freeAt.indexOf(Math.min(...freeAt))
    const endsAt = (freeAt[slot] ?? 0) + seconds * (isSolved ? 1 : 3) * Math.exp(0.4 * sampleNormal(random))
    freeAt[slot] = endsAt
    return { variant, isSolved, endsAt }
  })
}

const rateOf = (runs: readonly Run[]) => meanOf(runs.map(({ isSolved }) => Number(isSolved)))

/** The rate of the first group over its ended runs, and over the prompts before the first unfinished one, when a share of all runs has ended. */
function ratesAt(runs: readonly Run[], share: number) {
  const now = runs.map(({ endsAt }) => endsAt).toSorted((a, b) => a - b)[Math.round(share * runs.length) - 1] ?? 0
  const isOfGroup = ({ variant }: Run) => variant.agent === 'left'
  const ended = runs.filter((run) => isOfGroup(run) && run.endsAt <= now)
  const queue = [...Map.groupBy(runs, ({ variant }) => variant.prompt).values()]
  const whole = queue.slice(
    0,
    queue.findIndex((ofPrompt) => ofPrompt.some(({ endsAt }) => endsAt > now)),
  )
  return { ofRuns: rateOf(ended), size: whole.length, ofEndedPrompts: rateOf(whole.flat().filter(isOfGroup)) }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const rangeOf = (rates: readonly number[]) => {
  const sorted = rates.toSorted((a, b) => a - b)
  return `mean ${percent(meanOf(sorted))}, 90 % of them ${percent(quantile(sorted, 0.05))} to ${percent(quantile(sorted, 0.95))}`
}

test('a live rate over six ended prompts or more is off by chance only, unlike one over ended runs', () => {
  const requests = atLength(100, 1500)
  for (const [slots, share] of [
    [4, 0.2],
    [16, 0.1],
    [16, 0.2],
    [64, 0.2],
    [64, 0.5],
  ] as const) {
    const random = seededRandom(36)
    const found = Array.from({ length: requests }, (_, place) => {
      const runs = execute(random, `request ${place}`, slots)
      return { ...ratesAt(runs, share), final: rateOf(runs.filter(({ variant }) => variant.agent === 'left')) }
    })
    const ofRuns = found.map((each) => each.ofRuns - each.final)
    const ofPrompts = found
      .filter(({ size }) => size >= fewestPrompts)
      .map(({ ofEndedPrompts, final }) => ofEndedPrompts - final)
    console.info(
      `live rates, ${slots} at once, after ${percent(share)} of the runs; finally ${percent(meanOf(found.map(({ final }) => final)))}. Ended runs: off by ${rangeOf(ofRuns)}. Ended prompts: ${meanOf(found.map(({ size }) => size)).toFixed(1)} on average; in the ${percent(ofPrompts.length / requests)} with ${fewestPrompts} or more off by ${rangeOf(ofPrompts)}`,
    )
    if (ofPrompts.length < requests / 4) continue
    const chance = 3.1 * Math.sqrt(varianceOf(ofPrompts) / ofPrompts.length)
    expect(Math.abs(meanOf(ofPrompts)), `${slots}, ${share}`).toBeLessThan(0.02 + chance)
    if (slots > 4) expect(meanOf(ofRuns), `${slots}, ${share}`).toBeGreaterThan(0.015)
  }
}, 600_000)
