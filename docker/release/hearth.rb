# The formula for Homebrew. docker/release/build fills in the address, the version and the sum of the
# Linux package. On macOS it builds from source: a package for macOS does not exist yet.
class Hearth < Formula
  desc "Local emulator of Firebase Auth and Firestore"
  homepage "@ADDRESS@"
  version "@VERSION@"
@LICENCE@

  on_linux do
    on_intel do
      url "@ADDRESS@/hearth-@VERSION@-linux-x86_64.tar.gz"
      sha256 "@SHA256@"
    end
  end

  on_macos do
    url "@ADDRESS@/hearth-@VERSION@.git", tag: "@VERSION@"
    depends_on xcode: ["26.0", :build]
    depends_on "openssl@3"
  end

  def install
    if OS.mac?
      ENV.prepend_path "PKG_CONFIG_PATH", Formula["openssl@3"].opt_lib/"pkgconfig"
      system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "hearth"
      bin.install ".build/release/hearth"
      generate_completions_from_executable(bin/"hearth", "--generate-completion-script")
    else
      bin.install "bin/hearth"
      man1.install Dir["share/man/man1/*"]
      doc.install Dir["share/doc/hearth/*"]
      bash_completion.install "share/bash-completion/completions/hearth"
      zsh_completion.install "share/zsh/site-functions/_hearth"
      fish_completion.install "share/fish/vendor_completions.d/hearth.fish"
    end
  end

  service do
    run [opt_bin/"hearth", "serve", "--data", var/"hearth"]
    keep_alive crashed: true
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hearth --version")
    assert_match "127.0.0.1", shell_output("#{bin}/hearth exec -- sh -c 'echo $FIREBASE_AUTH_EMULATOR_HOST'")
  end
end
