// What a rule can ask about its file and itself, as match.context and under the
// names of the original's host objects.
let context, language;

function prepare(config) {
  const { captures, arguments: args, language: ofRule, limits: ofRun } = JSON.parse(config);
  limits = ofRun;
  captureNames = captures;
  language = ofRule;
  context = lock({
    get code() { return code(); },
    get filename() { return filename(); },
    arguments: freeze(Object.assign(create(null), args)),
  });
}

const bridge = lock({
  get fileContents() { return code(); },
  get filename() { return filename(); },
  ruleCtx: lock({ getArgument: (name) => context.arguments[name] }),
  fileCtx: freeze({
    javascript: lock({
      get imports() { return imports(); },
      importsPackage: (name) => imports().some((i) => (i.importedFrom ?? i.name) === name),
    }),
  }),
});
