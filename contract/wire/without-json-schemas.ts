const refuse = () => {
  throw new Error('Routes describe bodies with Zod, not with JSON Schema')
}

/** For `schemaController` of Fastify. Without it, each server loads compilers of JSON Schema that no route uses. */
export const withoutJsonSchemas = {
  compilersFactory: { buildValidator: () => refuse, buildSerializer: () => refuse },
}
