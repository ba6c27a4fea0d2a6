// Names that a source declares in unnamed namespaces, read from text that clang-format has written: there, every
// declaration of a namespace begins in column 0.

/// The declarations of `text`, as { name, line, local }; `local` ones stand in an unnamed namespace.
export function declarations(text) {
  const found = [];
  const lines = text.split('\n');
  let depth = 0;  // unnamed namespaces that are open
  for (let i = 0; i < lines.length; ++i) {
    const line = lines[i];
    if (/^namespace \{/.test(line)) depth += 1;
    if (/^\}  \/\/ namespace$/.test(line)) depth -= 1;
    if (!/^[A-Za-z_:]/.test(line) || /^(namespace|public:|private:|extern "C" \{)/.test(line)) continue;
    const at = i;
    let whole = bare(line);
    let open = balance(whole);
    while ((open > 0 || !/[;}]\s*$/.test(whole)) && i + 1 < lines.length) {
      const next = bare(lines[++i]);
      open += balance(next);
      whole += ` ${next.trim()}`;
    }
    // The values of an enum without a class are names of the namespace around it.
    if (/^enum (?!class)/.test(whole)) {
      const values = whole.replace(/^[^{]*\{|\}.*$/g, '');
      for (const [value] of values.matchAll(/\bk[A-Z]\w*(?=\s*(?:,|=|$))/g)) found.push({ name: value, line: at + 1, local: depth > 0 });
    }
    const name = nameOf(whole);
    if (name) found.push({ name, line: at + 1, local: depth > 0, parameters: parametersOf(whole, name), isForward: /^(struct|class|enum)[^{(=]*;$/.test(whole) });
    if (!/^k[A-Z]/.test(name ?? '')) continue;
    for (const [, further] of whole.matchAll(/, (k[A-Z]\w*) = /g)) found.push({ name: further, line: at + 1, local: depth > 0 });
  }
  return found;
}

/// The line without strings, characters and comments.
function bare(line) {
  return line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'/g, '""').replace(/\/\/.*$/, '').trimEnd();
}

function balance(text) {
  return (text.match(/[({[]/g)?.length ?? 0) - (text.match(/[)}\]]/g)?.length ?? 0);
}

function nameOf(declaration) {
  let text = withoutTemplate(declaration);
  const alias = /^using (\w+) =/.exec(text);
  if (alias) return alias[1];
  if (/^(using|friend|static_assert|asm|typedef|TEST|OPBENCH_|INSTANTIATE|extern template)/.test(text)) return null;
  const type = /^(?:struct|class|enum class|enum|union) (?:\[\[\w+\]\] |alignas\([^)]*\) )*(\w+)\s*(?:final )?(?::|\{|;|$)/.exec(text);
  if (type) return type[1];
  text = withoutAngles(text);
  // Members defined outside their class have the class before their name.
  const head = /^[^=({;[]*?([\w:~]+)\s*(?:\[[^\]]*\]\s*)*(?:[=({;]|$)/.exec(text.replace(/\[\[\w+\]\]\s*/g, ''));
  if (!head || head[1].includes('::') || !/\s/.test(text.slice(0, text.indexOf(head[1]) + head[1].length))) return null;
  return head[1] === 'operator' ? null : head[1];
}

/// The types of a function's parameters, without names and defaults; null for what is no function.
function parametersOf(declaration, name) {
  const open = declaration.indexOf(`${name}(`) + name.length;
  if (open < name.length || /[={]/.test(declaration.slice(0, open))) return null;
  let depth = 0, list = [''];
  for (const letter of declaration.slice(open + 1)) {
    if (/[(<{[]/.test(letter)) depth += 1;
    if (/[)>}\]]/.test(letter) && --depth < 0) break;
    if (letter === ',' && depth === 0) list.push('');
    else list[list.length - 1] += letter;
  }
  return list.map((item) => item.replace(/=.*$/, '').trim().replace(/([\s&*>])\w+$/, '$1').trim()).join(', ');
}

/// Leaves `template <…>` and `requires …` out.
function withoutTemplate(text) {
  while (/^template\s*</.test(text)) {
    let depth = 0, at = text.indexOf('<');
    do {
      if (text[at] === '<') depth += 1;
      if (text[at] === '>') depth -= 1;
      at += 1;
    } while (depth > 0 && at < text.length);
    text = text.slice(at).trim().replace(/^requires [^ ]+(<[^>]*>)? /, '');
  }
  return text;
}

/// Leaves the arguments of templates out: they may hold parentheses, commas and further names.
function withoutAngles(text) {
  let result = '', depth = 0;
  for (let i = 0; i < text.length; ++i) {
    if (text[i] === '<' && /\w/.test(text[i - 1] ?? '') && !/[=({]/.test(result)) depth += 1;
    else if (text[i] === '>' && depth > 0) depth -= 1;
    else if (depth === 0) result += text[i];
  }
  return result;
}
