cask "skilltender" do
  version "{{version}}"
  sha256 "{{sha256}}"

  url "{{url}}"
  name "{{name}}"
  desc "{{summary}}"
  homepage "{{homepage}}"

  auto_updates true
  depends_on macos: ">= :big_sur"

  app "{{name}}.app"
  binary "#{appdir}/{{name}}.app/Contents/MacOS/skilltender"

  uninstall quit: "{{id}}"

  zap trash: [
    "~/Library/Application Support/dev.Skilltender.Skilltender",
    "~/Library/Caches/{{id}}",
    "~/Library/LaunchAgents/{{id}}.plist",
    "~/Library/WebKit/{{id}}",
  ]
end
