// The imports of a JavaScript file. Which forms count, and under which names, is
// the original's choice: of a path, the last part without its last extension.
let importList; // of the run's file, made when the rule asks

class PackageImport {
  // new(name) is a module as a whole, new(name, importedFrom) an item of one.
  constructor(name, importedFrom) {
    this.name = name;
    this.importedFrom = importedFrom;
  }
  isModule() { return this.importedFrom === undefined; }
}

function imports() {
  if (importList !== undefined) return importList;
  importList = [];
  if (language !== "JAVASCRIPT" || nodeCount === 0) return importList;
  if (!code().includes("import") && !code().includes("require")) return importList;

  let root = node(0);
  for (let p = root; p !== undefined; p = getParent(p)) root = p;
  const pending = [root];
  while (pending.length > 0) {
    const n = pending.pop();
    const kind = n.cstType;
    if (kind === "import_statement") importStatement(n);
    else if (kind === "lexical_declaration") constants(n);
    const children = getChildren(n);
    for (let i = children.length - 1; i >= 0; i--) pending[pending.length] = children[i];
  }
  return importList;
}

function imported(name, from) {
  importList[importList.length] = new PackageImport(name, from);
}

function child(n, field) {
  return getChildren(n).find((c) => c.fieldName === field);
}

// import "m"; import a from "m"; import * as a from "m"; import { a, b as c } from "m"
function importStatement(n) {
  const from = moduleName(child(n, "source"));
  if (from === undefined) return;
  const clause = getChildren(n).find((c) => c.cstType === "import_clause");
  if (clause === undefined) return imported(from);
  const parts = getChildren(clause);
  for (const part of parts) {
    if (part.cstType === "named_imports") for (const specifier of getChildren(part)) item(specifier, from);
  }
  for (const part of parts) {
    if (part.cstType === "identifier") imported(part.text, from);
    if (part.cstType === "namespace_import") imported(from);
  }
}

function item(specifier, from) {
  const name = child(specifier, "name");
  if (name === undefined) return;
  const renamed = child(specifier, "alias") !== undefined;
  if (renamed && name.text === "default") imported(from);
  else if (renamed || name.cstType === "identifier") imported(name.text, from);
}

// const a = require("m"); const { a } = require("m"); both also with await import("m")
function constants(declaration) {
  if (!declaration.text.startsWith("const")) return;
  for (const declarator of getChildren(declaration)) {
    let value = child(declarator, "value");
    if (value === undefined) continue;
    const awaited = value.cstType === "await_expression";
    if (awaited) value = getChildren(value)[0];
    const from = awaited ? argumentOf("import", value) : argumentOf("require", value);
    if (from === undefined) continue;
    const target = child(declarator, "name");
    if (target.cstType === "identifier") awaited ? imported(target.text, from) : imported(from);
    if (target.cstType !== "object_pattern") continue;
    for (const c of getChildren(target)) {
      if (c.cstType === "shorthand_property_identifier_pattern") imported(c.text, from);
    }
  }
}

function argumentOf(callee, call) {
  if (call?.cstType !== "call_expression" || child(call, "function")?.text !== callee) return undefined;
  const args = getChildren(child(call, "arguments"));
  return args.length === 1 ? moduleName(args[0]) : undefined;
}

function moduleName(string) {
  if (string?.cstType !== "string") return undefined;
  const path = getChildren(string).find((c) => c.cstType === "string_fragment")?.text ?? "";
  const last = path.split("/").filter((part) => part !== "" && part !== ".").at(-1);
  if (last === undefined || last === "..") return undefined;
  const dot = last.lastIndexOf(".");
  return dot > 0 ? last.slice(0, dot) : last;
}
