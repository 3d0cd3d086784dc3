import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { endQueuedRuns } from '#client/testing/end-queued-runs.ts'
import { startClient, type TestClient } from '#client/testing/start-client.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'

/** Stands for GitHub: keeps comments, and knows one token. */
async function startComments() {
  const comments: { id: number; body: string }[] = [{ id: 1, body: 'Looks good to me' }]
  const server = createServer(async (request, response) => {
    const isKnown = request.headers.authorization === 'Bearer github-token'
    const sent = request.method === 'GET' ? '' : await text(request)
    const { body = '' } = sent === '' ? {} : (JSON.parse(sent) as { body?: string })
    const [, edited] = /\/repos\/lab\/code\/issues\/comments\/(\d+)$/.exec(request.url ?? '') ?? []
    if (!isKnown) return response.writeHead(401).end('{}')
    if (request.method === 'GET') return response.end(JSON.stringify(comments))
    const found = comments.find(({ id }) => id === Number(edited))
    if (request.method === 'PATCH' && found) found.body = body
    if (request.method === 'POST') comments.push({ id: comments.length + 1, body })
    return response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return { comments, url, close: () => server.close() }
}

let client: TestClient
let github: Awaited<ReturnType<typeof startComments>>
beforeAll(async () => {
  client = await startClient()
  github = await startComments()
  await writeFile(join(client.folder, 'experiment.yaml'), twoByTwo('gate'))
  const event = { pull_request: { number: 17, head: { sha: 'b'.repeat(40) }, base: { ref: 'main' } } }
  await writeFile(join(client.folder, 'event.json'), JSON.stringify(event))
})
afterAll(async () => {
  github.close()
  await client.close()
})

const onMain = { GITHUB_ACTIONS: 'true', GITHUB_SHA: 'a'.repeat(40), GITHUB_REF_NAME: 'main' }
const onPullRequest = () => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_SHA: 'f'.repeat(40),
  GITHUB_HEAD_REF: 'faster',
  GITHUB_EVENT_PATH: join(client.folder, 'event.json'),
  GITHUB_REPOSITORY: 'lab/code',
  GITHUB_API_URL: github.url,
  GITHUB_TOKEN: 'github-token',
  GITHUB_STEP_SUMMARY: join(client.folder, 'summary.md'),
})

type Solves = (run: { repeat: number; agent: string }) => boolean

const ci = (words: string[], { env, solves }: { env: Record<string, string>; solves: Solves }) =>
  client.assay(['ci', ...words, '--json'], { env, onWait: () => endQueuedRuns(client.platform, solves) })

const threeOfFour: Solves = ({ repeat }) => repeat % 4 !== 0

test('without results of the main branch a change is undecided', async () => {
  const { code, out } = await ci(['--repeat', '4'], { env: onPullRequest(), solves: threeOfFour })
  expect([code, JSON.parse(out).sentences.at(-1)]).toEqual([2, 'There are no results of main to compare with.'])
})

test('the main branch becomes the baseline', async () => {
  const { code, out } = await ci(['--repeat', '40'], { env: onMain, solves: threeOfFour })
  expect([code, JSON.parse(out).outcome]).toEqual([0, 'passed'])
})

test('a good change passes, with a summary, a JUnit file and a comment', async () => {
  const words = ['--repeat', '40', '--comment', '--junit', 'junit.xml']
  const { code, out } = await ci(words, { env: onPullRequest(), solves: () => true })
  expect([code, JSON.parse(out)]).toMatchObject([0, { outcome: 'passed', baseline: 'main at aaaaaaa' }])
  expect(JSON.parse(out).sentences[1]).toMatch(/^This change scores 25 points higher than main at aaaaaaa/)
  expect(await readFile(join(client.folder, 'junit.xml'), 'utf8')).toContain(
    '<testsuite name="gate" tests="160" failures="0"',
  )
  expect(github.comments.map(({ id }) => id)).toEqual([1, 2])
  expect(github.comments[1]?.body).toContain('### Assay: Passed · `gate` v1')
  expect(await readFile(join(client.folder, 'summary.md'), 'utf8')).toContain('### Assay: Passed')
  const { json } = await client.platform.request('GET', '/experiments/gate/requests-of-commits?branch=faster')
  expect(json.requests[0].origin).toEqual({ commit: 'b'.repeat(40), branch: 'faster', pullRequest: 17 })
})

test('a worse change ends with code 1, and the next push changes the comment in place of adding one', async () => {
  const { code, out } = await ci(['--repeat', '40', '--comment'], {
    env: onPullRequest(),
    solves: ({ repeat }) => repeat % 2 === 0,
  })
  expect([code, JSON.parse(out).outcome]).toEqual([1, 'worse'])
  expect(github.comments.map(({ id }) => id)).toEqual([1, 2])
  expect(github.comments[1]?.body).toContain('### Assay: Worse')
  expect(github.comments[1]?.body).toContain('**Solved less often than on `main at aaaaaaa`**')
  expect(github.comments[1]?.body).toMatch(
    /- `careful~\S+` solved 20 of 40, before 30 of 40\. Failed: `it works`\. Repeats: \[1\]\(http:\/\/127\.0\.0\.1:\d+\/runs\/careful/,
  )
  expect(github.comments[1]?.body).toContain('| `careful · sonnet-4.5` | 50 % | 75 % | 80 |')
  expect(github.comments[0]?.body).toBe('Looks good to me')
})

test('with too few runs to rule a drop out, a change is undecided', async () => {
  const { code, out } = await ci(['--repeat', '4'], { env: onPullRequest(), solves: threeOfFour })
  expect([code, JSON.parse(out).outcome]).toEqual([2, 'undecided'])
  expect(JSON.parse(out).sentences.at(-1)).toBe('A drop of more than 10 points is not ruled out.')
})

test('a solved rate counts as reached only if it is proven', async () => {
  const run = (least: string, solves: Solves) => ci(['--repeat', '40', '--min-solved', least], { env: onMain, solves })
  expect((await run('60', threeOfFour)).code).toBe(0)
  expect((await run('75', threeOfFour)).code).toBe(2)
  expect((await run('90', threeOfFour)).code).toBe(1)
})

test('an invalid definition, an unknown commit and a server that is away are broken', async () => {
  await writeFile(join(client.folder, 'broken.yaml'), 'id: Not Kebab')
  const broken = await ci(['broken.yaml'], { env: onMain, solves: threeOfFour })
  expect([broken.code, broken.error]).toEqual([
    3,
    expect.stringMatching(/^broken\.yaml:1: .*\nbroken\.yaml:1: .*\nbroken\.yaml:1: id must be kebab-case/),
  ])
  expect((await ci([], { env: { ...onMain, GITHUB_SHA: '' }, solves: threeOfFour })).code).toBe(3)
  expect((await ci([], { env: { ...onMain, ASSAY_URL: 'http://127.0.0.1:9' }, solves: threeOfFour })).code).toBe(3)
})

test('a broken push replaces the verdict of the one before, in the comment and the summary', async () => {
  await writeFile(join(client.folder, 'broken.yaml'), `${twoByTwo('gate')}tests: none\n`)
  const summary = join(client.folder, 'broken.md')
  const words = ['broken.yaml', '--comment', '--summary', summary]
  expect((await ci(words, { env: onPullRequest(), solves: threeOfFour })).code).toBe(3)
  expect(github.comments.map(({ id }) => id)).toEqual([1, 2])
  expect(github.comments[1]?.body).toMatch(/^<!-- assay gate -->\n### Assay: Broken · `gate`\n\nbroken\.yaml:\d+: /)
  expect(await readFile(summary, 'utf8')).toMatch(/^### Assay: Broken/)
  const away = { env: { ...onPullRequest(), ASSAY_URL: 'http://127.0.0.1:9' }, solves: threeOfFour }
  expect((await ci(['--comment'], away)).code).toBe(3)
  expect(github.comments[1]?.body).toContain('http://127.0.0.1:9 could not be reached')
})

test('a comment that cannot be written changes no verdict', async () => {
  const env = { ...onPullRequest(), GITHUB_TOKEN: 'wrong' }
  const { code, error } = await ci(['--repeat', '40', '--comment'], { env, solves: () => true })
  expect([code, error]).toEqual([0, expect.stringContaining('The comment could not be written: 127.0.0.1')])
})

test('with --changed only the variants run that the change touches, and none for a change that no run sees', async () => {
  const text = twoByTwo('gate')
  await writeFile(join(client.folder, 'experiment.yaml'), `${text}description: only words\n`)
  const words = ['--changed', '--comment', '--junit', 'none.xml']
  const none = await ci(words, { env: onPullRequest(), solves: threeOfFour })
  expect([none.code, JSON.parse(none.out)]).toMatchObject([0, { outcome: 'passed', runRequestId: null }])
  expect(github.comments[1]?.body).toMatch(
    /### Assay: Passed · `gate`\n\nThe change touches no variant of main at aaaaaaa/,
  )
  expect(await readFile(join(client.folder, 'none.xml'), 'utf8')).toContain('<testsuite name="gate" tests="0"')
  const changed = text.replace('echo careful', 'echo careful; true')
  expect(changed).not.toBe(text)
  await writeFile(join(client.folder, 'experiment.yaml'), changed)
  const some = await ci(['--changed', '--repeat', '4'], { env: onPullRequest(), solves: threeOfFour })
  const { json } = await client.platform.request('GET', `/runs/${JSON.parse(some.out).runRequestId}`)
  expect(json.runRequest.variantIds.length).toBe(2)
  expect(json.runRequest.variantIds.join()).not.toContain('hasty')
  const all = await ci(['--changed', '--repeat', '4'], { env: onMain, solves: threeOfFour })
  const ofMain = await client.platform.request('GET', `/runs/${JSON.parse(all.out).runRequestId}`)
  expect(ofMain.json.runRequest.variantIds).toHaveLength(4)
})
