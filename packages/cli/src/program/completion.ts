import type { Command } from 'commander';

/** Shells that words are completed for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

interface Words {
  readonly name: string;
  readonly about: string;
  readonly options: readonly { readonly name: string; readonly about: string }[];
}

/** A script that completes commands, their options and files; a shell reads it when it starts. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = program.commands.map(
    (command): Words => ({
      name: command.name(),
      about: command.description(),
      options: command.options.map(({ long, description }) => ({
        name: long!,
        about: description,
      })),
    }),
  );
  return { bash, zsh, fish, powershell }[shell](commands);
}

/** Names of commands, after one of them with a dash its options, elsewhere files. */
function bash(commands: readonly Words[]): string {
  const cases = commands.map(
    ({ name, options }) =>
      `    ${name}) words="${options.map((option) => option.name).join(' ')}" ;;`,
  );
  return `# corpuscle completion bash >> ~/.bashrc
_corpuscle() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _corpuscle corpuscle
`;
}

const zsh = (commands: readonly Words[]): string =>
  `# corpuscle completion zsh >> ~/.zshrc
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash(commands).replace(/^.*\n/, '')}`;

function fish(commands: readonly Words[]): string {
  const lines = commands.flatMap(({ name, about, options }) => [
    `complete -c corpuscle -n __fish_use_subcommand -f -a ${name} -d ${quoted(about)}`,
    ...options.map(
      (option) =>
        `complete -c corpuscle -n '__fish_seen_subcommand_from ${name}' -l ${option.name.slice(2)} -d ${quoted(option.about)}`,
    ),
  ]);
  return `# corpuscle completion fish > ~/.config/fish/completions/corpuscle.fish\n${lines.join('\n')}\n`;
}

/** The words of bash; where a script gives none, PowerShell itself completes files. */
function powershell(commands: readonly Words[]): string {
  const tables = commands.map(({ name, about, options }) => {
    const table = options.map((option) => `${doubled(option.name)} = ${doubled(option.about)}`);
    return `  ${doubled(name)} = @{ about = ${doubled(about)}; options = [ordered]@{ ${table.join('; ')} } }`;
  });
  return `# corpuscle completion powershell >> $PROFILE
$corpuscleCommands = [ordered]@{
${tables.join('\n')}
}
Register-ArgumentCompleter -Native -CommandName corpuscle -ScriptBlock {
  param($word, $ast, $cursor)
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  $words = [ordered]@{}
  if ($before.Count -eq 1) {
    foreach ($name in $corpuscleCommands.Keys) { $words[$name] = $corpuscleCommands[$name].about }
  } elseif ($word -like '-*' -and $corpuscleCommands.Contains($before[1])) {
    $words = $corpuscleCommands[$before[1]].options
  }
  foreach ($name in $words.Keys) {
    if ($name -like "$word*") { [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $words[$name]) }
  }
}
`;
}

/** A text of PowerShell, where typographic apostrophes end one too. */
const doubled = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
