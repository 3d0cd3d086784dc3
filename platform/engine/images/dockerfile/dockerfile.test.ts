import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { createExpansion, expandVariables, lookUp, readPairs, splitWords } from './expand.ts'
import { jsonList, parseDockerfile } from './parse-dockerfile.ts'
import { planBuild } from './plan-build.ts'

const count = createExpansion()(1)

const parse = (source: string) =>
  parseDockerfile(source).map(({ keyword, text, flags, heredocs }) => ({
    keyword,
    text,
    ...(flags.size > 0 && { flags: Object.fromEntries(flags) }),
    ...(heredocs.length > 0 && { heredocs: heredocs.map(({ content }) => content) }),
  }))

test('continued lines become one, without comments and empty lines between them', () => {
  expect(parse('# syntax=x\nfrom a\n\nRUN one && \\\n  # a comment\n\n  two \\  \n  && three\n')).toEqual([
    { keyword: 'FROM', text: 'a' },
    { keyword: 'RUN', text: 'one &&   two   && three' },
  ])
})

test('the escape directive replaces the backslash', () => {
  expect(parse('# escape=`\nRUN a `\n b\nRUN c:\\\n')).toEqual([
    { keyword: 'RUN', text: 'a  b' },
    { keyword: 'RUN', text: 'c:\\' },
  ])
})

test('flags and here-documents are separate from the text', () => {
  const source =
    'COPY --from=base --chmod=755 a /b\nRUN <<EOF\n# kept\necho $A\nEOF\nCOPY <<-"X" /y\n\tz\n\tX\nRUN last'
  expect(parse(source)).toEqual([
    { keyword: 'COPY', text: 'a /b', flags: { from: 'base', chmod: '755' } },
    { keyword: 'RUN', text: '<<EOF', heredocs: ['# kept\necho $A\n'] },
    { keyword: 'COPY', text: '<<-"X" /y', heredocs: ['z\n'] },
    { keyword: 'RUN', text: 'last' },
  ])
})

test('a here-document without its end and a line without an instruction are refused with their line', () => {
  expect(() => parse('FROM a\nRUN <<EOF\nx')).toThrow(
    'line 2 of the Dockerfile has a here-document that EOF never ends',
  )
  expect(() => parse('FROM a\n\n&& b')).toThrow('line 3 of the Dockerfile does not start with an instruction')
})

test('a list in JSON keeps its spaces', () => {
  expect(jsonList('["a b", "c"]')).toEqual(['a b', 'c'])
  expect(jsonList('[ -f x ] && y')).toBeNull()
})

test('variables are expanded like Docker expands them', () => {
  const variables = lookUp({ a: '1', empty: '' })
  expect(expandVariables('$a ${a}b ${empty:-d} ${none:-$a} ${a:+x} ${none:+x}. \\$a', variables, count)).toBe(
    '1 1b d 1 x . $a',
  )
  expect(splitWords(`a "b $a" '$a' c\\ d e"f"g`, variables, count)).toEqual(['a', 'b 1', '$a', 'c d', 'efg'])
})

test('ENV has pairs in two forms', () => {
  expect(readPairs('A=1 B="x y" C=$A', lookUp({ A: 'z' }), count)).toEqual([
    ['A', '1'],
    ['B', 'x y'],
    ['C', 'z'],
  ])
  expect(readPairs('A some words', lookUp(), count)).toEqual([['A', 'some words']])
  expect(readPairs('A', lookUp(), count)).toEqual([['A', null]])
})

test('variables of one file expand to 128 KiB at most', () => {
  const doubled = Array.from({ length: 24 }, () => 'ARG A=$A$A')
  expect(() => planBuild(['ARG A=0123456789', ...doubled, 'FROM a'].join('\n'))).toThrow(
    'line 14 of the Dockerfile expands variables to more than 128 KiB',
  )
  expect(() => planBuild(`ARG A=${'x'.repeat(1024)}\nFROM a${'\nCOPY --from=b$A c d'.repeat(200)}`)).toThrow(
    /^line \d+ of the Dockerfile /,
  )
})

test('a Dockerfile has 2000 instructions at most', () => {
  expect(parse('RUN true\n'.repeat(2000))).toHaveLength(2000)
  expect(() => parse('RUN true\n'.repeat(2001))).toThrow(
    'line 2001 of the Dockerfile exceeds the limit of 2000 instructions',
  )
})

test.each([
  ['continued lines', 300_000, (many: number) => `RUN ${'a\\\n'.repeat(many)}`],
  ['here-documents', 100_000, (many: number) => `RUN ${'<<E '.repeat(many)}\n${'E\n'.repeat(many)}`],
  ['open braces', 20_000, (many: number) => `ARG A=${'${a:-'.repeat(many)}`],
])('many %s take no longer than their length', async (_, most, sourceOf) => {
  await expectLinear((many) => expect(() => planBuild(sourceOf(many))).toThrow(/^line /), most)
})

test('only stages that the last one needs are built, and 32 at most', () => {
  const plan = planBuild('FROM a AS one\nFROM unused\nFROM b\nFROM scratch\nCOPY --from=one x y\nCOPY --from=2 x z')
  expect([...plan.needed].toSorted()).toEqual([0, 2, 3])
  expect(plan.images).toEqual(['a', 'b'])
  const chain = (length: number) => Array.from({ length }, (_, index) => `FROM ${index ? index - 1 : 'a'}`).join('\n')
  expect(planBuild(chain(32)).needed.size).toBe(32)
  expect(() => planBuild(chain(33))).toThrow('more than 32 stages')
})

test('scratch is an empty base, and is never pulled from a registry', () => {
  expect(planBuild('FROM scratch\nCOPY a b').images).toEqual([])
  expect(planBuild('FROM a AS scratch\nFROM b\nCOPY --from=scratch x y').images).toEqual(['a', 'b'])
  for (const name of ['scratch', 'scratch:latest', 'docker.io/library/scratch'])
    expect(() => planBuild(`FROM a\nCOPY --from=${name} x y`)).toThrow(
      `line 2 of the Dockerfile names the image ${name}: it is only the name of an empty base, so it has no files to copy`,
    )
  expect(planBuild('FROM scratch/tool').images).toEqual(['scratch/tool'])
})

test('inherited names such as constructor are not variables', () => {
  expect(expandVariables('[$constructor$__proto__]', lookUp({}), count)).toBe('[]')
})
