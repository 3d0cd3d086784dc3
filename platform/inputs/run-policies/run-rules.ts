import { noRunRules, policyFaults, policyRefusal, type RunRules } from '#contract/run-policy.ts'
import type { Variant } from '#contract/variants.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { Failure } from '#platform/ground/failures/failure.ts'
import { providerFaults, type Submission } from './provider-faults.ts'
import { findRunPolicy } from './store.ts'

/** The rules of an organization as they are now. */
export async function readRunRules(db: Database, organizationId: string): Promise<RunRules> {
  return { ...noRunRules, ...(await findRunPolicy(db, organizationId))?.rules }
}

type Selection = Submission<Variant>

const faultsOf = (rules: RunRules, selection: Selection) => [
  ...policyFaults(rules, selection.definition, selection.variants),
  ...providerFaults(rules, selection),
]

/** What the rules refuse in real runs of these variants, in words. */
export async function findRefusals(db: Database, organizationId: string, selection: Selection) {
  return faultsOf(await readRunRules(db, organizationId), selection)
}

/** Errors: `failed_precondition`, with the field of the definition that is refused. */
export function requireAllowed(rules: RunRules, selection: Selection) {
  const faults = faultsOf(rules, selection)
  if (faults.length > 0) throw new Failure('failed_precondition', policyRefusal(faults), faults)
}
