import { expect, test } from 'vitest'

import { Definition } from '#contract/definition.ts'
import { keyVariable, providerOf } from './providers.ts'
import { spendKindOf, variablesOf } from './run-variables.ts'

const definition = Definition.parse({
  id: 'keys',
  name: 'Keys',
  agents: [
    { id: 'plain', command: ['x'], env: { A: 'agent' } },
    { id: 'keyed', command: ['x'], env: { ANTHROPIC_API_KEY: 'assay://secrets/ours' } },
  ],
  models: [
    'claude-opus-5',
    { id: 'gpt-5', apiKey: 'assay://secrets/openai' },
    { id: 'llama', provider: 'my-cloud', apiKey: 'k' },
    { id: 'gemini-2.5-pro', env: { GEMINI_API_KEY: 'k', A: 'model' } },
    { id: 'stray', apiKey: 'k' },
    { id: 'self-hosted', provider: 'my-cloud', env: { MY_CLOUD_API_KEY: 'k' } },
    { id: 'empty', env: { OPENAI_API_KEY: '' } },
  ],
  environments: [
    { id: 'e', env: { A: 'environment', B: 'environment' } },
    { id: 'shared', env: { OPENAI_API_KEY: 'k' } },
  ],
  flags: [{ id: 'lend', env: { GOOGLE_API_KEY: 'k' } }],
})

const cell = (over: object = {}) => ({ agent: 'plain', model: null, product: null, environment: null, ...over })

test('a run gets its model’s key in the variable of the provider', () => {
  expect(variablesOf(definition, cell({ model: 'gpt-5' }), []).agentOnly).toMatchObject({
    OPENAI_API_KEY: 'assay://secrets/openai',
  })
  expect(variablesOf(definition, cell({ model: 'llama' }), []).agentOnly).toMatchObject({ MY_CLOUD_API_KEY: 'k' })
  expect(variablesOf(definition, cell({ model: 'stray' }), [])).toMatchObject({ homelessKey: true, provider: null })
})

test('the agent’s variables override the model’s, and tests get neither', () => {
  const { shared, agentOnly } = variablesOf(definition, cell({ model: 'gemini-2.5-pro', environment: 'e' }), ['lend'])
  expect(shared).toEqual({ A: 'environment', B: 'environment' })
  expect(agentOnly).toEqual({ A: 'agent', GEMINI_API_KEY: 'k', GOOGLE_API_KEY: 'k' })
})

test('a provider is named, derived from a well-known id, or unknown', () => {
  const guesses = ['claude-opus-5', 'sonnet', 'gpt-5', 'o3', 'gemini-2.5-pro', 'llama-4', 'opera', 'geminus']
  expect(guesses.map((id) => providerOf({ id }))).toEqual([
    'anthropic',
    'anthropic',
    'openai',
    'openai',
    'google',
    null,
    null,
    null,
  ])
  expect(providerOf({ id: 'gpt-5', provider: 'azure' })).toBe('azure')
  expect(keyVariable('azure.eu')).toBe('AZURE_EU_API_KEY')
})

test('the spend kind is byok when the definition has a key for the variant, and managed otherwise', () => {
  const kinds = [
    [cell(), 'managed'],
    [cell({ model: 'claude-opus-5' }), 'managed'],
    [cell({ model: 'empty' }), 'managed'],
    [cell({ model: 'gpt-5' }), 'byok'],
    [cell({ model: 'gemini-2.5-pro' }), 'byok'],
    [cell({ model: 'self-hosted' }), 'byok'],
    [cell({ model: 'stray' }), 'byok'],
    [cell({ agent: 'keyed' }), 'byok'],
    [cell({ environment: 'shared' }), 'byok'],
  ] as const
  for (const [place, kind] of kinds) expect(spendKindOf(definition, place, []), JSON.stringify(place)).toBe(kind)
  expect(spendKindOf(definition, cell(), ['lend'])).toBe('byok')
})
