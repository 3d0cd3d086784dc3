import { z } from 'zod'

/** The schema of the experiment YAML. The editor's JSON Schema is generated from it (docs/api-choices/experiments.md). */

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/

export const maxExperimentIdCharacters = 100
export const maxExperimentNameCharacters = 200

export const ExperimentId = z
  .string()
  .max(maxExperimentIdCharacters)
  .regex(kebab, 'must be kebab-case: lower-case letters, digits and single hyphens')
  .describe('Kebab-case and immutable; names the experiment in URLs and queries.')

/** Part of every variant id, so without the separators of variant ids, composite run ids and list parameters. */
const AxisId = z
  .string()
  .max(80)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'may hold letters, digits, dots, hyphens and underscores')

const Argv = z.array(z.string()).min(1).describe('A program and its arguments; no shell reads them.')

const SecretOrText = z.string().describe('Text, or a reference to a secret: assay://secrets/<slug>')

const Environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), SecretOrText)

const relativePath = z
  .string()
  .min(1)
  .max(400)
  .refine(
    (path) => !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0'),
    'must stay inside the workspace',
  )
  .refine(
    (path) => path.startsWith('/') || !path.split('/').some((part) => part === '' || part === '.'),
    'must name a place in the workspace, without "." or empty parts',
  )

export const DefinitionFile = z
  .strictObject({
    dest: relativePath.describe('Where the file stands in the workspace.'),
    content: z.string().optional().describe('Inline content: needs no staging.'),
    source: z.string().min(1).optional().describe('A local path: needs a staged blob in the pushed package.'),
    executable: z.boolean().optional(),
  })
  .refine((file) => (file.content === undefined) !== (file.source === undefined), 'must have either content or source')
export type DefinitionFile = z.infer<typeof DefinitionFile>

export const TranscriptFormat = z.enum([
  'text',
  'claude-stream-json',
  'codex-jsonl',
  'gemini-stream-json',
  'opencode-json',
  'assay-jsonl',
])
export type TranscriptFormat = z.infer<typeof TranscriptFormat>

export const PresetName = z.enum(['claude-code', 'codex', 'gemini-cli', 'opencode'])
export type PresetName = z.infer<typeof PresetName>

const Agent = z
  .strictObject({
    id: AxisId,
    command: Argv.optional().describe(
      'The prompt arrives on stdin and in $ASSAY_PROMPT_FILE; the workspace is the working directory.',
    ),
    preset: PresetName.optional().describe(
      'A known client: command line and transcript format are ours. Needs an environment with network, and a key.',
    ),
    transcript: TranscriptFormat.optional().describe(
      'How to read what the agent prints: text unless told, or the preset’s own format.',
    ),
    modes: z
      .array(AxisId)
      .min(1)
      .optional()
      .describe('Axis agent_mode; the agent reads its mode in $ASSAY_AGENT_MODE.'),
    env: Environment.optional(),
  })
  .refine(
    (agent) => (agent.command === undefined) !== (agent.preset === undefined),
    'must have either command or preset',
  )

const Model = z.union([
  AxisId,
  z.strictObject({
    id: AxisId,
    provider: z.string().optional().describe('anthropic, openai, google or another; guessed from a well-known id.'),
    apiKey: SecretOrText.optional().describe('Your own key: the agent finds it in the variable of its provider.'),
    env: Environment.optional(),
  }),
])

const Product = z.union([AxisId, z.strictObject({ id: AxisId, env: Environment.optional() })])

const RunEnvironment = z.strictObject({
  id: AxisId,
  image: z.string().optional().describe('Used by a container sandbox; bubblewrap uses the host’s toolchain.'),
  env: Environment.optional(),
  network: z
    .boolean()
    .optional()
    .describe('Off unless true; then the run shares the host’s network, loopback included.'),
  ci: z
    .strictObject({ command: Argv, timeoutSeconds: z.int().min(1).max(86_400).optional() })
    .optional()
    .describe('Built once per request; its runs are waiting_for_ci until it passes.'),
})

const Prompt = z.strictObject({ id: AxisId, text: z.string().min(1).max(200_000) })

const VariantPattern = z
  .strictObject({
    agent: AxisId.optional(),
    mode: AxisId.optional(),
    model: AxisId.optional(),
    product: AxisId.optional(),
    environment: AxisId.optional(),
    prompt: AxisId.optional(),
  })
  .describe('Matches every variant that agrees with the axes named.')
export type VariantPattern = z.infer<typeof VariantPattern>

const Skill = z.strictObject({ name: AxisId, source: z.string().min(1) })

const Setup = z.strictObject({
  files: z.array(DefinitionFile).optional(),
  skills: z.array(Skill).optional(),
  commands: z.array(Argv).optional(),
})

export const ReportFormat = z.enum(['junit', 'ctrf', 'tap'])
export type ReportFormat = z.infer<typeof ReportFormat>

const Test = z.strictObject({
  name: z.string().min(1).max(500),
  command: Argv,
  files: z.array(DefinitionFile).optional().describe('Written after the agent has finished, so it cannot read them.'),
  timeoutSeconds: z.int().min(1).max(86_400).optional(),
  report: z
    .strictObject({
      format: ReportFormat,
      path: relativePath.optional().describe('TAP is read from stdout when no path is given.'),
    })
    .optional()
    .describe('Every case in the report becomes a captured test of its own.'),
})
export type DefinitionTest = z.infer<typeof Test>

const Flag = z
  .strictObject({ id: AxisId, description: z.string().optional(), env: Environment.optional() })
  .describe('A switch a submit may turn on; its env is added to the agent’s.')

/** A whole experiment as written in YAML. */
export const Definition = z.strictObject({
  id: ExperimentId,
  name: z.string().trim().min(1).max(maxExperimentNameCharacters),
  description: z.string().max(10_000).optional(),
  agents: z.array(Agent).min(1),
  models: z.array(Model).min(1).optional(),
  products: z.array(Product).min(1).optional(),
  environments: z.array(RunEnvironment).min(1).optional(),
  prompts: z.array(Prompt).min(1).optional(),
  variants: z
    .strictObject({
      include: z.array(VariantPattern).max(2000).optional(),
      exclude: z.array(VariantPattern).max(2000).optional(),
    })
    .optional()
    .describe('Narrows the full cross product of the axes.'),
  files: z.array(DefinitionFile).optional(),
  setup: Setup.optional(),
  tests: z.array(Test).optional(),
  flags: z.array(Flag).optional(),
  limits: z.strictObject({ maxTimeSeconds: z.int().min(1).max(86_400).optional() }).optional(),
})
export type Definition = z.infer<typeof Definition>

export const definitionJsonSchema = () => z.toJSONSchema(Definition, { io: 'input', unrepresentable: 'any' })

/** A file or skill that must be staged before the definition can run. */
export type Dependency = { source: string; dest: string; kind: 'file' | 'skill' }

/** Every `files:`, `setup.files`, `setup.skills` and `tests[*].files` entry with a `source`. */
export function dependenciesOf(definition: Definition): Dependency[] {
  const files = [
    ...(definition.files ?? []),
    ...(definition.setup?.files ?? []),
    ...(definition.tests ?? []).flatMap((test) => test.files ?? []),
  ]
  const skills = definition.setup?.skills ?? []
  return [
    ...files.flatMap(({ source, dest }) => (source === undefined ? [] : [{ source, dest, kind: 'file' as const }])),
    ...skills.map(({ name, source }) => ({ source, dest: `.skills/${name}`, kind: 'skill' as const })),
  ]
}
