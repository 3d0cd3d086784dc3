import { type Command as Program, Option } from 'commander'

type Run = (name: string, input: unknown) => Promise<void>

/** `assay plan …` and `assay credits …`. */
export function addCreditCommands(program: Program, run: Run) {
  const plan = program.command('plan').description('plans of organizations')

  plan
    .command('set')
    .description('put an organization on a plan; an upgrade starts a new billing cycle')
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
    .option('--reference <reference>', 'repeating the command with the same reference grants nothing')
    .action((options) => run('credits grant', options))

  credits
    .command('payments')
    .description('list the payments on hold because they differ from the checkout')
    .action(() => run('credits payments', {}))

  credits
    .command('decide')
    .description(
      'accept or reject a payment on hold: accepting adds the amount paid as credit; refund a rejected payment yourself',
    )
    .argument('<session>', 'the id of the checkout session at the payment provider')
    .addOption(new Option('--accept').conflicts('reject'))
    .addOption(new Option('--reject').conflicts('accept'))
    .option('--usd <amount>', 'the value in US dollars of a payment in another currency')
    .action(async (session: string, { accept, reject, usd }) => {
      if (!accept && !reject) throw new Error('Specify --accept or --reject')
      await run('credits decide', { session, decision: accept ? 'accepted' : 'rejected', usd })
    })
}
