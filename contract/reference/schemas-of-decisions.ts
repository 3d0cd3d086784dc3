import { Decision, DecisionDesign, DecisionLook, UntilDecided, Verdict } from '#contract/until-decided.ts'

export const decisionSchemas = {
  Decision: [Decision, 'How far a request is from its decision.'],
  DecisionDesign: [DecisionDesign, 'How a request stops when its question is decided.'],
  DecisionLook: [DecisionLook, 'What is known after so many complete prompts.'],
  UntilDecided: [UntilDecided, 'A question that ends a request when it is decided.'],
  Verdict: [Verdict, 'What a request found.'],
} as const
