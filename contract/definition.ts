import { z } from 'zod'

/** The schema of the experiment YAML. The editor's JSON Schema is generated from it (docs/api-choices/experiments.md). */

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/

export const maxExperimentIdCharacters = 100
export const maxExperimentNameCharacters = 200

export const ExperimentId = z
  .string()
  .max(maxExperimentIdCharacters)
  .regex(kebab, 'must be kebab-case: lower-case letters, digits and single hyphens')
  .describe('Kebab-case; used in URLs and queries. It can’t be changed later.')

/**
 * Part of every variant id, so it must not contain the separators of variant ids, composite run ids and list
 * parameters.
 */
const AxisId = z
  .string()
  .max(80)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'can contain letters, digits, dots, hyphens and underscores')

const Argv = z.array(z.string()).min(1).describe('Program and arguments as a list; not run through a shell.')

const SecretOrText = z.string().describe('Text, or a reference to a secret: assay://secrets/<slug>')

const Environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), SecretOrText)

const OwnEnvironment = Environment.describe('Environment variables of the agent; setup and tests don’t get them.')

const SharedEnvironment = Environment.describe('Environment variables of the agent, setup and tests.')

const idOf = (what: string) => AxisId.describe(`The name of ${what} in variant ids and results.`)

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
    'must be a path in the workspace, without "." or empty parts',
  )

export const DefinitionFile = z
  .strictObject({
    dest: relativePath.describe('Path in the workspace.'),
    content: z.string().optional().describe('Inline content; needs no staging.'),
    source: z.string().min(1).optional().describe('Local path; the pushed package needs a staged blob for it.'),
    executable: z.boolean().optional().describe('Default false. When true, the file can be run as a program.'),
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
    id: idOf('the agent'),
    command: Argv.optional().describe(
      'The prompt is on stdin and in $ASSAY_PROMPT_FILE; the workspace is the working directory.',
    ),
    preset: PresetName.optional().describe(
      'A supported client, with its command line and transcript format built in. Needs an environment with network, and a key.',
    ),
    transcript: TranscriptFormat.optional().describe('Transcript format. Default: text, or the preset’s format.'),
    modes: z
      .array(AxisId)
      .min(1)
      .optional()
      .describe('The axis agent_mode; the agent finds its mode in $ASSAY_AGENT_MODE.'),
    env: OwnEnvironment.optional(),
  })
  .refine(
    (agent) => (agent.command === undefined) !== (agent.preset === undefined),
    'must have either command or preset',
  )

const Model = z.union([
  AxisId,
  z.strictObject({
    id: idOf('the model'),
    provider: z
      .string()
      .optional()
      .describe('anthropic, openai, google or another. Default: guessed from a well-known model id.'),
    apiKey: SecretOrText.optional().describe('Your own API key; the agent finds it in the provider’s variable.'),
    env: OwnEnvironment.optional(),
  }),
])

const Product = z.union([AxisId, z.strictObject({ id: idOf('the product'), env: SharedEnvironment.optional() })])

const RunEnvironment = z.strictObject({
  id: idOf('the environment'),
  image: z.string().optional().describe('Image for a container sandbox; bubblewrap uses the host’s toolchain instead.'),
  env: SharedEnvironment.optional(),
  network: z
    .boolean()
    .optional()
    .describe('Default false. When true, the run uses the host network, including loopback.'),
  ci: z
    .strictObject({
      command: Argv,
      timeoutSeconds: z.int().min(1).max(86_400).optional().describe('The longest time for the build. Default: 1800.'),
    })
    .optional()
    .describe('Runs once per run request; runs of this environment are waiting_for_ci until it passes.'),
})

const Prompt = z.strictObject({
  id: idOf('the prompt'),
  text: z.string().min(1).max(200_000).describe('What the agent is asked to do.'),
})

const VariantPattern = z
  .strictObject({
    agent: AxisId.optional().describe('Only variants of this agent.'),
    mode: AxisId.optional().describe('Only variants with this agent mode.'),
    model: AxisId.optional().describe('Only variants with this model.'),
    product: AxisId.optional().describe('Only variants with this product.'),
    environment: AxisId.optional().describe('Only variants in this environment.'),
    prompt: AxisId.optional().describe('Only variants of this prompt.'),
  })
  .describe('Matches every variant with these axis values.')
export type VariantPattern = z.infer<typeof VariantPattern>

const Skill = z.strictObject({
  name: AxisId.describe('The name of its folder: .skills/<name> in the workspace.'),
  source: z.string().min(1).describe('Local folder; the pushed package needs a staged archive of it.'),
})

const Setup = z.strictObject({
  files: z.array(DefinitionFile).optional().describe('More files in the workspace of every run.'),
  skills: z.array(Skill).optional().describe('Folders of instructions that agents can read.'),
  commands: z.array(Argv).optional().describe('Run in this order; if one fails, the run ends with an error.'),
})

export const ReportFormat = z.enum(['junit', 'ctrf', 'tap'])
export type ReportFormat = z.infer<typeof ReportFormat>

const Test = z.strictObject({
  name: z.string().min(1).max(500).describe('Unique. A path such as suite/case is shown as a tree.'),
  command: Argv.describe('Exit code 0 is passed. Program and arguments as a list; not run through a shell.'),
  files: z
    .array(DefinitionFile)
    .optional()
    .describe('Written after the agent has finished, so the agent cannot read them.'),
  timeoutSeconds: z.int().min(1).max(86_400).optional().describe('The longest time for the test. Default: 300.'),
  report: z
    .strictObject({
      format: ReportFormat.describe('The format of the report that the command writes.'),
      path: relativePath.optional().describe('Default for TAP: read from stdout.'),
    })
    .optional()
    .describe('Every case in the report becomes a separate captured test.'),
})
export type DefinitionTest = z.infer<typeof Test>

const Flag = z
  .strictObject({
    id: AxisId.describe('The name of the flag at submit and in $ASSAY_FLAGS.'),
    description: z.string().optional().describe('Shown beside the flag at submit.'),
    env: OwnEnvironment.optional(),
  })
  .describe('A flag you can enable at submit; adds its env to the agent’s.')

/** A whole experiment, as written in YAML. */
export const Definition = z.strictObject({
  id: ExperimentId,
  name: z.string().trim().min(1).max(maxExperimentNameCharacters).describe('The title in lists and results.'),
  description: z.string().max(10_000).optional().describe('The question that the experiment answers.'),
  agents: z.array(Agent).min(1).describe('The programs to compare. An axis of the variants.'),
  models: z.array(Model).min(1).optional().describe('Models for the agents. An axis of the variants.'),
  products: z.array(Product).min(1).optional().describe('Products that the agents use. An axis of the variants.'),
  environments: z.array(RunEnvironment).min(1).optional().describe('Where runs execute. An axis of the variants.'),
  prompts: z.array(Prompt).min(1).optional().describe('The tasks for the agents. An axis of the variants.'),
  variants: z
    .strictObject({
      include: z
        .array(VariantPattern)
        .max(2000)
        .optional()
        .describe('Keeps only the variants that one of these matches.'),
      exclude: z.array(VariantPattern).max(2000).optional().describe('Drops the variants that one of these matches.'),
    })
    .optional()
    .describe('Filters the full cross product of the axes.'),
  files: z.array(DefinitionFile).optional().describe('Files in the workspace of every run.'),
  setup: Setup.optional().describe('Prepares the workspace before the agent starts.'),
  tests: z.array(Test).optional().describe('Commands that score a run after the agent has ended.'),
  flags: z.array(Flag).optional().describe('Switches that a submission can turn on.'),
  limits: z
    .strictObject({
      maxTimeSeconds: z.int().min(1).max(86_400).optional().describe('The longest time for a run, in seconds.'),
    })
    .optional()
    .describe('Limits of a run.'),
})
export type Definition = z.infer<typeof Definition>

export const definitionJsonSchema = () => z.toJSONSchema(Definition, { io: 'input', unrepresentable: 'any' })

/** A file or skill that must be staged before the definition can run. */
export type Dependency = { source: string; dest: string; kind: 'file' | 'skill' }

/** Returns every entry of `files:`, `setup.files`, `setup.skills` and `tests[*].files` that has a `source`. */
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
