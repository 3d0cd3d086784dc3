import { type Command as Program, Option } from 'commander'

type Run = (name: string, input: unknown) => Promise<void>

/** `assay plan …` and `assay credits …`. */
export function addCreditCommands(program: Program, run: Run) {
  const plan = program.command('plan').description('plans of organizations')

  plan
    .command('set')
    .description('put an organization on a plan; an upgrade begins a new billing cycle')
    .requiredOption('--org <slug>')
    .addOption(new Option('--plan <plan>').choices(['free', 'paid']).makeOptionMandatory())
    .action((options) => run('plan set', options))

  plan
    .command('show')
    .description('print the plan, billing cycle and credit of an organization')
    .requiredOption('--org <slug>')
    .action((options) => run('plan show', options))

  const credits = program.command('credits').description('prepaid credit')

  credits
    .command('grant')
    .description('give an organization credit that never expires')
    .requiredOption('--org <slug>')
    .requiredOption('--usd <amount>', 'plain dollars, such as 25.00')
    .option('--reference <reference>', 'grants once, however often it is asked for')
    .action((options) => run('credits grant', options))

  credits
    .command('payments')
    .description('list the payments that are not what was asked for and wait for a decision')
    .action(() => run('credits payments', {}))

  credits
    .command('decide')
    .description('post what was really paid, once, or nothing; a rejected payment is yours to refund')
    .argument('<session>', "the payment provider's name for it")
    .addOption(new Option('--accept').conflicts('reject'))
    .addOption(new Option('--reject').conflicts('accept'))
    .option('--usd <amount>', 'what a payment in another currency is worth')
    .action(async (session: string, { accept, reject, usd }) => {
      if (!accept && !reject) throw new Error('Say --accept or --reject')
      await run('credits decide', { session, decision: accept ? 'accepted' : 'rejected', usd })
    })
}
